//! A producer in Rust behind the suite, with nothing but the standard library: copy this file, and call your client in
//! `produce`. Then: kafka-conformance smoke 'cmd:./producer', and run the same.

use std::collections::BTreeMap;
use std::io::{stdin, stdout, Read, Write};

/// `settings` is what it can be asked to do, also: "idempotent", "transactional", "level", "acks".
const HELLO: &str = r#"{"protocol": 1, "kind": "producer", "name": "mine", "version": "1.0", "language": "Rust",
"checks_crc": true, "formats": ["v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
"fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
"directions": ["encode"], "requests": ["produce"], "settings": ["headers"]}"#;

/// Bytes, or null.
type Bytes = Option<Vec<u8>>;

/// A record to write.
#[allow(dead_code)]
struct Record {
    timestamp: i64,
    key: Bytes,
    value: Bytes,
    headers: Vec<(Vec<u8>, Bytes)>,
}

/// What to write to partition 0 of a topic. The settings are codec, and where they are asked for: level, acks,
/// idempotent, transactional (a transaction with the topic's name as its id, committed).
#[allow(dead_code)]
struct Order {
    topic: String,
    settings: BTreeMap<String, String>,
    records: Vec<Record>,
}

/// Writes all records of an order, waits until they are sent, and gives what the application is told of failures.
fn produce(broker: &str, order: &Order) -> Vec<String> {
    vec![format!("nothing writes {} records to {} of {broker}", order.records.len(), order.topic)]
}

fn main() {
    let mut length = [0; 4];
    while stdin().read_exact(&mut length).is_ok() {
        let mut request = vec![0; u32::from_be_bytes(length) as usize];
        stdin().read_exact(&mut request).expect("the input ends inside a frame");
        if request[0] == b'H' {
            reply(b'H', HELLO);
            continue;
        }
        let text = String::from_utf8_lossy(&request[1..]).into_owned();
        let broker = text.split(['\t', '\n']).next().unwrap_or("");
        for order in orders(&text) {
            let line = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
            reply(b'O', &produce(broker, &order).iter().map(line).collect::<Vec<_>>().join("\n"));
        }
    }
}

fn reply(kind: u8, text: &str) {
    let size = (1 + text.len() as u32).to_be_bytes();
    stdout().write_all(&[&size[..], &[kind], text.as_bytes()].concat()).unwrap();
    stdout().flush().unwrap();
}

fn orders(text: &str) -> Vec<Order> {
    let mut orders: Vec<Order> = vec![];
    for row in text.split('\n').skip(1) {
        let words: Vec<&str> = row.split('\t').collect();
        if words[0] == "order" {
            let pair = |word: &&str| word.split_once('=').map(|(name, value)| (name.to_string(), value.to_string()));
            let settings = words[2..].iter().filter_map(pair).collect();
            orders.push(Order { topic: words[1].to_string(), settings, records: vec![] });
        } else if let Some(order) = orders.last_mut() {
            order.records.push(record(&words[1..]));
        }
    }
    orders
}

fn record(words: &[&str]) -> Record {
    let headers = words[3..].chunks(2).map(|pair| (bytes(pair[0]).unwrap_or_default(), bytes(pair[1])));
    let timestamp = words[0].parse().unwrap_or(0);
    Record { timestamp, key: bytes(words[1]), value: bytes(words[2]), headers: headers.collect() }
}

fn bytes(text: &str) -> Bytes {
    let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("hex");
    (text != "-").then(|| (0..text.len()).step_by(2).map(byte).collect())
}

//! A consumer in Rust behind the suite, with nothing but the standard library: copy this file, and call your client in
//! the methods of Client. Then: kafka-conformance smoke 'cmd:./consumer', and run the same.

use std::collections::BTreeMap;
use std::io::{stdin, stdout, Read, Write};
use std::{thread, time::Duration};

/// With `"settings": ["reset", "max_bytes", "timeout", "rack", "group"]` (those it knows) it takes part in conversations.
const HELLO: &str = r#"{"protocol": 1, "kind": "consumer", "name": "mine", "version": "1.0", "language": "Rust",
"checks_crc": true, "formats": ["v0", "v1", "v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
"fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
"directions": ["decode"], "requests": ["deliver"], "partial": true}"#;

/// Your client. What it gives as an error is what its users are told. Dropping it ends it.
#[allow(dead_code)]
struct Client {
    broker: String,    // host:port
    isolation: String, // read_uncommitted or read_committed
    settings: BTreeMap<String, String>,
}

impl Client {
    /// Makes what is needed, and consumes partition 0 of these topics, each from its offset, and no others.
    fn assign(&mut self, _offsets: &BTreeMap<String, i64>) -> Result<(), String> {
        Ok(())
    }

    /// Polls for a tenth of a second; says with `record` and `error` what came.
    fn poll(&mut self, _lines: &mut Lines) -> Result<(), String> {
        thread::sleep(Duration::from_millis(100));
        Ok(())
    }
}

/// What the application gets.
#[derive(Default)]
struct Lines(Vec<String>);

#[allow(dead_code)]
impl Lines {
    /// The kind of time is 0 create time, 1 log append time, -1 none.
    #[allow(clippy::too_many_arguments)]
    fn record(
        &mut self,
        topic: &str,
        offset: i64,
        timestamp: i64,
        kind: i8,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
        headers: &[(&[u8], Option<&[u8]>)],
    ) {
        let mut line = format!("record\t{topic}\t{offset}\t{timestamp}\t{kind}\t{}\t{}", hex(key), hex(value));
        headers.iter().for_each(|(name, value)| line += &format!("\t{}\t{}", hex(Some(name)), hex(*value)));
        self.0.push(line);
    }

    /// The topic is `?` if the error names none.
    fn error(&mut self, topic: &str, error: &str) {
        let words: Vec<&str> = error.split_whitespace().collect();
        self.0.push(format!("error\t{topic}\t{}", words.join(" ")));
    }
}

fn main() {
    let (mut length, mut client, mut lines) = ([0; 4], None, Lines::default());
    while stdin().read_exact(&mut length).is_ok() {
        let mut request = vec![0; u32::from_be_bytes(length) as usize];
        stdin().read_exact(&mut request).expect("the input ends inside a frame");
        let text = String::from_utf8_lossy(&request[1..]).into_owned();
        let done = match (request[0], &mut client) {
            (b'P', Some(client)) => Client::poll(client, &mut lines),
            (b'A', _) => assign(&mut client, &text),
            (b'Z', _) => {
                client = None;
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(error) = done {
            lines.error("?", &error);
        }
        let said = if request[0] == b'H' { HELLO.to_string() } else { std::mem::take(&mut lines.0).join("\n") };
        let size = (1 + said.len() as u32).to_be_bytes();
        stdout().write_all(&[&size, &request[..1], said.as_bytes()].concat()).unwrap();
        stdout().flush().unwrap();
    }
}

fn assign(client: &mut Option<Client>, text: &str) -> Result<(), String> {
    *client = None; // the last one ends before the next begins
    let mut rows = text.split('\n');
    let mut words = rows.next().unwrap_or("").split('\t').map(String::from);
    let (broker, isolation) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let pair = |word: String| word.split_once('=').map(|(name, value)| (name.to_string(), value.to_string()));
    let settings = words.filter_map(pair).collect();
    let offset = |(topic, offset): (&str, &str)| (topic.to_string(), offset.parse().unwrap_or(0));
    let offsets = rows.filter_map(|row| row.split_once('\t')).map(offset).collect();
    client.insert(Client { broker, isolation, settings }).assign(&offsets)
}

fn hex(content: Option<&[u8]>) -> String {
    content.map_or("-".into(), |data| data.iter().map(|byte| format!("{byte:02x}")).collect())
}

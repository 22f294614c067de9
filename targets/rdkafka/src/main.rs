//! rdkafka's `BaseConsumer`, librdkafka through its Rust library, assigned to many topics, with `check.crcs`.
//! docs/broker.md describes what a driver says.
//!
//! Each assignment gets a new client: librdkafka asks about topics that it did not know when it connected only once a
//! second. A panic of the library ends the driver, as it ends an application.

#[path = "../../common/rust/version.rs"]
mod version;

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaResult;
use rdkafka::message::{BorrowedMessage, Headers, Message, Timestamp};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};
use std::fmt::Display;
use std::io::{stdin, stdout, Read, Result, Write};
use std::thread::sleep;
use std::time::Duration;

const POLL: Duration = Duration::from_millis(100);
const MOST: usize = 1000;
const HELLO: &str = r#"{"protocol": 1, "name": "rdkafka", "version": "VERSION", "language": "Rust (C)",
    "formats": ["v0", "v1", "v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
    "fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"], "checks_crc": true,
    "directions": ["decode"], "requests": ["deliver"], "partial": true,
    "settings": ["reset", "max_bytes", "timeout", "rack", "group", "instance"],
    "url": "https://github.com/fede1024/rust-rdkafka"}"#;

const SETTINGS: [(&str, &str); 7] = [
    ("group.id", "conformance"),
    ("check.crcs", "true"),
    ("enable.auto.commit", "false"),
    ("enable.auto.offset.store", "false"),
    ("auto.offset.reset", "error"),
    ("fetch.error.backoff.ms", "50"),
    ("log_level", "0"),
];

/// A member of a group commits by itself, and often.
const MEMBER: [(&str, &str); 5] = [
    ("enable.auto.commit", "true"),
    ("enable.auto.offset.store", "true"),
    ("auto.commit.interval.ms", "100"),
    ("heartbeat.interval.ms", "100"),
    ("session.timeout.ms", "10000"),
];

fn main() -> Result<()> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let mut consumer = None;
    let mut size = [0; 4];
    while input.read_exact(&mut size).is_ok() {
        let mut body = vec![0; i32::from_be_bytes(size) as usize];
        input.read_exact(&mut body)?;
        let text = String::from_utf8_lossy(&body[1..]);
        let mut lines = Vec::new();
        match body[0] {
            b'H' => lines.push(HELLO.replace("VERSION", version::version_of("rdkafka", include_str!("../Cargo.lock")))),
            b'A' => {
                consumer = None; // the last one ends before the next begins
                match assign(&text) {
                    Ok(made) => consumer = Some(made),
                    Err(problem) => lines.push(error("?", problem)),
                }
            }
            b'P' => match &consumer {
                Some(consumer) => poll(consumer, &mut lines),
                None => sleep(POLL),
            },
            _ => {
                if let Some(consumer) = consumer.take() {
                    lines = positions(&consumer);
                }
            }
        }
        let said = lines.join("\n");
        output.write_all(&(1 + said.len() as i32).to_be_bytes())?;
        output.write_all(&body[..1])?;
        output.write_all(said.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// Makes a client of the first row, and assigns the topics of the others to it; a member of a group subscribes to them.
fn assign(text: &str) -> KafkaResult<BaseConsumer> {
    let mut rows = text.split('\n').map(|row| row.split('\t').collect::<Vec<_>>());
    let head = rows.next().expect("an address");
    let settings: Vec<_> = head[2..].iter().map(|one| one.split_once('=').expect("a setting")).collect();
    let is_member = settings.iter().any(|(name, _)| *name == "group");
    let mut config = ClientConfig::from_iter(SETTINGS.iter().map(own));
    config.extend(MEMBER.iter().filter(|_| is_member).map(own));
    config.set("bootstrap.servers", head[0]).set("isolation.level", head[1]);
    config.extend(settings.iter().map(|(name, value)| own(&(named(name), value))));
    let consumer: BaseConsumer = config.create()?;
    let topics: Vec<_> = rows.map(|row| (row[0], row[1].parse().expect("an offset"))).collect();
    if is_member {
        consumer.subscribe(&topics.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
        return Ok(consumer);
    }
    let mut assigned = TopicPartitionList::new();
    for (name, offset) in topics {
        assigned.add_partition_offset(name, 0, Offset::Offset(offset))?;
    }
    consumer.assign(&assigned)?;
    Ok(consumer)
}

fn own(pair: &(&str, &str)) -> (String, String) {
    (pair.0.to_owned(), pair.1.to_owned())
}

/// Settings of conversations, and what they are called here.
fn named(setting: &str) -> &str {
    match setting {
        "reset" => "auto.offset.reset",
        "max_bytes" => "fetch.message.max.bytes",
        "timeout" => "socket.timeout.ms",
        "rack" => "client.rack",
        "group" => "group.id",
        "instance" => "group.instance.id",
        other => other,
    }
}

/// Takes what is in the queue.
fn poll(consumer: &BaseConsumer, lines: &mut Vec<String>) {
    let mut patience = POLL;
    while let Some(polled) = consumer.poll(patience) {
        match polled {
            Ok(message) => lines.push(line(&message)),
            Err(problem) => lines.push(error("?", problem)), // it does not say of which topic
        }
        if lines.len() >= MOST {
            return;
        }
        patience = Duration::ZERO;
    }
}

fn positions(consumer: &BaseConsumer) -> Vec<String> {
    let positions = match consumer.position() {
        Ok(positions) => positions,
        Err(problem) => return vec![error("?", problem)],
    };
    let told = |topic, offset| match offset {
        Offset::Offset(offset) => Some(format!("position\t{topic}\t{offset}")),
        _ => None,
    };
    positions.elements().iter().filter_map(|one| told(one.topic().to_owned(), one.offset())).collect()
}

fn line(message: &BorrowedMessage) -> String {
    let (time, kind) = match message.timestamp() {
        Timestamp::NotAvailable => (-1, -1),
        Timestamp::CreateTime(time) => (time, 0),
        Timestamp::LogAppendTime(time) => (time, 1),
    };
    let (topic, offset) = (message.topic(), message.offset());
    let mut line = format!("record\t{topic}\t{offset}\t{time}\t{kind}\t{}\t{}", hex(message.key()), hex(message.payload()));
    for header in message.headers().into_iter().flat_map(Headers::iter) {
        line += &format!("\t{}\t{}", hex(Some(header.key.as_bytes())), hex(header.value));
    }
    line
}

fn error(topic: &str, error: impl Display) -> String {
    let text = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    format!("error\t{topic}\t{}", text.chars().take(500).collect::<String>())
}

fn hex(bytes: Option<&[u8]>) -> String {
    match bytes {
        None => "-".to_owned(),
        Some(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

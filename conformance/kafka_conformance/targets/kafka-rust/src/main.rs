//! kafka-rust behind the adapter protocol: its client, which fetches each input from a broker within this process.
//!
//! The crate keeps its decoder to itself. `KafkaClient::fetch_messages` runs it, and is what `Consumer::poll` calls: with
//! the offset behind the last message, until there are no more.

#[path = "../../rust-adapter/adapter.rs"]
mod adapter;
#[path = "../../rust-adapter/broker.rs"]
mod broker;
#[path = "../../rust-adapter/version.rs"]
mod version;

use adapter::{Failure, Record};
use kafka::client::{FetchPartition, KafkaClient};
use kafka::consumer::Message;
use std::cell::RefCell;

const HELLO: &str = r#"{"protocol": 1, "name": "kafka", "version": "VERSION", "language": "Rust",
    "formats": ["v0"], "codecs": ["none", "gzip", "snappy"], "fields": ["offset", "key", "value"],
    "checks_crc": true, "directions": ["decode"], "url": "https://github.com/kafka-rust/kafka-rust"}"#;

fn main() {
    let version = version::version_of("kafka", include_str!("../Cargo.lock"));
    let broker = broker::Broker::start();
    let client = RefCell::new(KafkaClient::new(vec![broker.address()]));
    client.borrow_mut().load_metadata_all().expect("the broker tells of itself");
    let decode = |data: &[u8]| {
        *broker.records() = data.to_vec();
        poll(&mut client.borrow_mut())
    };
    let encode = |_: i8, _: i8, _: &[Record]| unimplemented!();
    adapter::serve(&HELLO.replace("VERSION", version), decode, encode);
}

fn poll(client: &mut KafkaClient) -> Result<Vec<Record>, Failure> {
    let (mut records, mut offset) = (Vec::new(), 0);
    loop {
        let asked = FetchPartition::new(broker::TOPIC, 0, offset);
        let responses = client.fetch_messages_for_partition(&asked).map_err(refusal)?;
        let partition = &responses[0].topics()[0].partitions()[0];
        let messages = partition.data().map_err(refusal)?.messages();
        match messages.last() {
            Some(last) if last.offset >= offset => offset = last.offset + 1,
            _ => return Ok(records),
        }
        records.extend(messages.iter().map(answer));
    }
}

fn refusal(error: impl std::fmt::Display) -> Failure {
    (1, error.to_string())
}

fn answer(message: &Message) -> Record {
    Record {
        offset: message.offset,
        key: Some(message.key.to_vec()),
        value: Some(message.value.to_vec()),
        ..Record::default()
    }
}

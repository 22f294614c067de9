//! kafka-rust behind the adapter protocol: its client, which fetches each input from a broker within this process.
//!
//! The crate keeps its decoder to itself. `KafkaClient::fetch_messages` runs it, and is what `Consumer::poll` calls: with
//! the offset after the last message, until there are no more.

#[path = "../../../../adapters/rust/adapter.rs"]
mod adapter;
#[path = "../../../common/rust/broker.rs"]
mod broker;
#[path = "../../../common/rust/producer.rs"]
mod producer;
#[path = "../../../common/rust/version.rs"]
mod version;

use adapter::{Failure, Record};
use kafka::client::{Compression, FetchPartition, KafkaClient, ProduceMessage, RequiredAcks};
use kafka::consumer::Message;
use std::cell::RefCell;
use std::time::Duration;

const HELLO: &str = r#"{"protocol": 1, "name": "kafka-rust", "version": "VERSION", "language": "Rust",
    "formats": ["v0"], "codecs": ["none", "gzip", "snappy"], "fields": ["offset", "key", "value"],
    "checks_crc": true, "directions": ["decode", "encode"], "url": "https://github.com/kafka-rust/kafka-rust"}"#;

const COMPRESSIONS: [Compression; 3] = [Compression::NONE, Compression::GZIP, Compression::SNAPPY];

fn main() {
    let version = version::version_of("kafka", include_str!("../Cargo.lock"));
    let broker = broker::Broker::start();
    let client = RefCell::new(KafkaClient::new(vec![broker.address()]));
    client.borrow_mut().load_metadata_all().expect("the broker tells of itself");
    let decode = |data: &[u8]| {
        *broker.records() = data.to_vec();
        poll(&mut client.borrow_mut())
    };
    let encode = |magic: i8, codec: i8, records: &[Record]| {
        producer::producible(magic, codec, records)?;
        produce(&mut client.borrow_mut(), COMPRESSIONS[codec as usize], records)?;
        Ok(producer::appended(broker.records().clone(), records))
    };
    adapter::serve(&HELLO.replace("VERSION", version), decode, encode);
}

fn poll(client: &mut KafkaClient) -> Result<Vec<Record>, Failure> {
    let (mut records, mut offset) = (Vec::new(), i64::MIN);
    loop {
        let asked = FetchPartition::new(broker::TOPIC, 0, offset);
        let responses = client.fetch_messages_for_partition(&asked).map_err(refusal)?;
        let partition = &responses[0].topics()[0].partitions()[0];
        let messages = partition.data().map_err(refusal)?.messages();
        records.extend(messages.iter().map(answer));
        match messages.last() {
            Some(last) if (offset..i64::MAX).contains(&last.offset) => offset = last.offset + 1,
            _ => return Ok(records),
        }
    }
}

fn produce(client: &mut KafkaClient, compression: Compression, records: &[Record]) -> Result<(), Failure> {
    let messages = records.iter().map(|record| {
        let (key, value) = (record.key.as_deref(), record.value.as_deref());
        ProduceMessage::new(broker::TOPIC, 0, key, value)
    });
    client.set_compression(compression);
    let produced = client.produce_messages(RequiredAcks::One, Duration::from_secs(1), messages);
    produced.map(drop).map_err(refusal)
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

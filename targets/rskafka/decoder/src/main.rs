//! rskafka behind the adapter protocol: its client, which fetches each input from a broker within this process.
//!
//! The crate keeps its decoder to itself, and the last steps (offsets, timestamps, control batches) are part of
//! `PartitionClient::fetch_records`. So that is what runs. Responses are read with its types of them.

#[path = "../../../../adapters/rust/adapter.rs"]
mod adapter;
#[path = "../../../common/rust/broker.rs"]
mod broker;
mod messages;
#[path = "../../../common/rust/producer.rs"]
mod producer;
#[path = "../../../common/rust/version.rs"]
mod version;

use adapter::{Failure, Record};
use rskafka::chrono::DateTime;
use rskafka::client::partition::{Compression, PartitionClient, UnknownTopicHandling};
use rskafka::client::{error::Error, ClientBuilder};
use rskafka::record::{self, RecordAndOffset};
use std::collections::BTreeMap;

const HELLO: &str = r#"{"protocol": 1, "name": "rskafka", "version": "VERSION", "language": "Rust",
    "formats": ["v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
    "fields": ["offset", "timestamp", "key", "value", "headers"], "checks_crc": true, "directions": ["decode", "encode"],
    "apis": {"form": "json"}, "url": "https://github.com/influxdata/rskafka"}"#;

const COMPRESSIONS: [Compression; 5] =
    [Compression::NoCompression, Compression::Gzip, Compression::Snappy, Compression::Lz4, Compression::Zstd];

fn main() {
    let version = version::version_of("rskafka", include_str!("../Cargo.lock"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let broker = broker::Broker::start();
    let client = runtime.block_on(connect(broker.address())).expect("a client");
    let decode = |data: &[u8]| {
        *broker.records() = data.to_vec();
        let fetched = runtime.block_on(client.fetch_records(i64::MIN, 1..i32::MAX, 1000));
        fetched.map(|(records, _)| records.into_iter().map(answer).collect()).map_err(refusal)
    };
    let encode = |magic: i8, codec: i8, records: &[Record]| {
        producer::producible(magic, codec, records)?;
        let given = records.iter().map(given).collect::<Result<_, _>>()?;
        runtime.block_on(client.produce(given, COMPRESSIONS[codec as usize])).map_err(refusal)?;
        Ok(producer::appended(broker.records().clone(), records))
    };
    adapter::serve_messages(&HELLO.replace("VERSION", version), decode, encode, messages::read);
}

async fn connect(address: String) -> Result<PartitionClient, Error> {
    let client = ClientBuilder::new(vec![address]).build().await?;
    client.partition_client(broker::TOPIC, 0, UnknownTopicHandling::Error).await
}

fn refusal(error: Error) -> Failure {
    (1, error.to_string())
}

fn answer(fetched: RecordAndOffset) -> Record {
    let record = fetched.record;
    Record {
        offset: fetched.offset,
        timestamp: record.timestamp.timestamp_millis(),
        key: record.key,
        value: record.value,
        headers: record.headers.into_iter().map(|(key, value)| (Some(key.into_bytes()), Some(value))).collect(),
        ..Record::default()
    }
}

fn given(record: &Record) -> Result<record::Record, Failure> {
    let gap = |what: &str| (2, what.to_owned());
    let mut headers = BTreeMap::new();
    for (key, value) in record.headers.iter().cloned() {
        let key = String::from_utf8(key.unwrap()).map_err(|_| gap("a header's key is UTF-8"))?;
        headers.insert(key, value.ok_or_else(|| gap("a header's value is not null"))?);
    }
    let same = headers.iter().map(|(key, _)| key.as_bytes());
    if !same.eq(record.headers.iter().map(|(key, _)| key.as_deref().unwrap())) {
        return Err(gap("headers are a map in the order of its keys"));
    }
    let timestamp = DateTime::from_timestamp_millis(record.timestamp).ok_or_else(|| gap("no such date"))?;
    Ok(record::Record { key: record.key.clone(), value: record.value.clone(), headers, timestamp })
}

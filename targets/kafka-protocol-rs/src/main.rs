//! kafka-protocol behind the adapter protocol: its decoder for the records of a fetch response.
//!
//! The crate has no consumer. `RecordBatchDecoder::decode_all` is what its users call with the records of a partition.
//! Requests and responses are read with `RequestKind` and `ResponseKind`, the types of all APIs, and written again.

#[path = "../../../adapters/rust/adapter.rs"]
mod adapter;
mod messages;
#[path = "../../common/rust/version.rs"]
mod version;

use adapter::{Bytes, Failure, Record};
use indexmap::IndexMap;
use kafka_protocol::protocol::StrBytes;
use kafka_protocol::records::{self, Compression, RecordEncodeOptions, RecordSet, TimestampType};
use kafka_protocol::records::{RecordBatchDecoder, RecordBatchEncoder};

const HELLO: &str = r#"{"protocol": 1, "name": "kafka-protocol-rs", "version": "VERSION", "language": "Rust",
    "formats": ["v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"], "fields": ["offset", "timestamp",
    "timestamp_type", "key", "value", "headers", "producer_id", "producer_epoch", "sequence", "transactional",
    "control", "codec"], "checks_crc": true, "directions": ["decode", "encode"], "apis": {"form": "bytes"},
    "url": "https://github.com/tychedelia/kafka-protocol-rs"}"#;

const COMPRESSIONS: [Compression; 5] =
    [Compression::None, Compression::Gzip, Compression::Snappy, Compression::Lz4, Compression::Zstd];

fn main() {
    let version = version::version_of("kafka-protocol", include_str!("../Cargo.lock"));
    adapter::serve_messages(&HELLO.replace("VERSION", version), decode, encode, messages::rewrite);
}

fn decode(data: &[u8]) -> Result<Vec<Record>, Failure> {
    let sets = RecordBatchDecoder::decode_all(&mut bytes::Bytes::copy_from_slice(data));
    let sets = sets.map_err(|error| (1, format!("{error:#}")))?;
    Ok(sets.iter().flat_map(|set| set.records.iter().map(|record| answer(set, record))).collect())
}

fn answer(set: &RecordSet, record: &records::Record) -> Record {
    let bytes = |data: &Option<bytes::Bytes>| -> Bytes { data.as_ref().map(|data| data.to_vec()) };
    Record {
        offset: record.offset,
        timestamp: record.timestamp,
        timestamp_type: i8::from(record.timestamp_type == TimestampType::LogAppend),
        key: bytes(&record.key),
        value: bytes(&record.value),
        headers: record.headers.iter().map(|(key, value)| (Some(key.as_bytes().to_vec()), bytes(value))).collect(),
        producer_id: record.producer_id,
        producer_epoch: record.producer_epoch,
        sequence: record.sequence,
        flags: i8::from(record.transactional) | i8::from(record.control) << 1,
        codec: set.compression as i8,
    }
}

fn encode(magic: i8, codec: i8, records: &[Record]) -> Result<Vec<u8>, Failure> {
    let records: Vec<_> = records.iter().map(given).collect::<Result<_, _>>()?;
    let options = RecordEncodeOptions { version: magic, compression: COMPRESSIONS[codec as usize] };
    let mut batch = bytes::BytesMut::new();
    RecordBatchEncoder::encode(&mut batch, &records, &options).map_err(|error| (1, format!("{error:#}")))?;
    Ok(batch.into())
}

fn given(record: &Record) -> Result<records::Record, Failure> {
    if record.timestamp_type != 0 {
        return Err((2, "the encoder writes no log append time".into()));
    }
    let bytes = |data: &Bytes| data.clone().map(bytes::Bytes::from);
    let mut headers = IndexMap::new();
    for (key, value) in &record.headers {
        let key = StrBytes::from_utf8(bytes(key).unwrap()).map_err(|_| (2, "a header's key is UTF-8".into()))?;
        if headers.insert(key, bytes(value)).is_some() {
            return Err((2, "the headers of a record are a map: no key comes twice".into()));
        }
    }
    Ok(records::Record {
        transactional: record.flags & 1 != 0,
        control: record.flags & 2 != 0,
        delete_horizon: false,
        partition_leader_epoch: records::NO_PARTITION_LEADER_EPOCH,
        producer_id: record.producer_id,
        producer_epoch: record.producer_epoch,
        timestamp_type: TimestampType::Creation,
        offset: record.offset,
        sequence: record.sequence,
        timestamp: record.timestamp,
        key: bytes(&record.key),
        value: bytes(&record.value),
        headers,
    })
}

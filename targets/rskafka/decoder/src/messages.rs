//! Responses: read by the crate's types, as its `Messenger::request` does, and told as JSON.
//!
//! The crate shows these types only to its fuzzer, with the feature `unstable-fuzzing`, which changes nothing else of
//! what is called here. Records are left out: it has read them on.

use crate::adapter::Failure;
use rskafka::protocol::api_version::ApiVersion;
use rskafka::protocol::error::Error;
use rskafka::protocol::messages::*;
use rskafka::protocol::primitives::*;
use serde_json::{json, Value};
use std::io::Cursor;

/// Takes the kind (0 request, 1 response), API key, version, and header and body.
pub fn read(kind: i8, api: i16, version: i16, data: &[u8]) -> Result<Vec<u8>, Failure> {
    if kind == 0 {
        return Err((2, "it only writes requests".into()));
    }
    let body = match api {
        0 => response::<ProduceRequest>(version, data, produce),
        1 => response::<FetchRequest>(version, data, fetch),
        2 => response::<ListOffsetsRequest>(version, data, list_offsets),
        3 => response::<MetadataRequest>(version, data, metadata),
        17 => response::<SaslHandshakeRequest>(version, data, sasl_handshake),
        18 => response::<ApiVersionsRequest>(version, data, api_versions),
        19 => response::<CreateTopicsRequest>(version, data, create_topics),
        20 => response::<DeleteTopicsRequest>(version, data, delete_topics),
        21 => response::<DeleteRecordsRequest>(version, data, delete_records),
        36 => response::<SaslAuthenticateRequest>(version, data, sasl_authenticate),
        _ => Err((2, format!("no API {api}"))),
    }?;
    Ok(json!({ "body": body }).to_string().into_bytes())
}

/// Reads header and body, and refuses what stands after them, as `Messenger` does.
fn response<R: RequestBody>(
    version: i16,
    data: &[u8],
    told: impl Fn(R::ResponseBody) -> Value,
) -> Result<Value, Failure>
where
    R::ResponseBody: ReadVersionedType<Cursor<Vec<u8>>>,
{
    let (versions, number) = (R::API_VERSION_RANGE, ApiVersion(Int16(version)));
    if number < versions.min() || number > versions.max() {
        return Err((2, format!("no version {version}, only {versions}")));
    }
    let header = i16::from(number >= R::FIRST_TAGGED_FIELD_IN_RESPONSE_VERSION);
    let mut data = Cursor::new(data.to_vec());
    let refusal = |error: ReadVersionedError| (1, error.to_string());
    ResponseHeader::read_versioned(&mut data, ApiVersion(Int16(header))).map_err(refusal)?;
    let body = R::ResponseBody::read_versioned(&mut data, number).map_err(refusal)?;
    if data.position() != data.get_ref().len() as u64 {
        return Err((1, format!("{} bytes of {} were read", data.position(), data.get_ref().len())));
    }
    Ok(told(body))
}

fn produce(body: ProduceResponse) -> Value {
    json!({
        "throttleTimeMs": body.throttle_time_ms.map(|one| one.0),
        "responses": list(body.responses, |topic| json!({
            "name": topic.name.0,
            "partitionResponses": list(topic.partition_responses, |one| json!({
                "index": one.index.0,
                "errorCode": code(one.error),
                "baseOffset": one.base_offset.0,
                "logAppendTimeMs": one.log_append_time_ms.map(|one| one.0),
                "logStartOffset": one.log_start_offset.map(|one| one.0),
            })),
        })),
    })
}

fn fetch(body: FetchResponse) -> Value {
    json!({
        "throttleTimeMs": body.throttle_time_ms.map(|one| one.0),
        "responses": list(body.responses, |topic| json!({
            "topic": topic.topic.0,
            "partitions": list(topic.partitions, |one| json!({
                "partitionIndex": one.partition_index.0,
                "errorCode": code(one.error_code),
                "highWatermark": one.high_watermark.0,
                "lastStableOffset": one.last_stable_offset.map(|one| one.0),
                "abortedTransactions": list(one.aborted_transactions, |one| json!({
                    "producerId": one.producer_id.0,
                    "firstOffset": one.first_offset.0,
                })),
            })),
        })),
    })
}

fn list_offsets(body: ListOffsetsResponse) -> Value {
    json!({
        "throttleTimeMs": body.throttle_time_ms.map(|one| one.0),
        "topics": list(body.topics, |topic| json!({
            "name": topic.name.0,
            "partitions": list(topic.partitions, |one| json!({
                "partitionIndex": one.partition_index.0,
                "errorCode": code(one.error_code),
                "oldStyleOffsets": one.old_style_offsets.map(|all| items(all, |one| json!(one.0))),
                "timestamp": one.timestamp.map(|one| one.0),
                "offset": one.offset.map(|one| one.0),
            })),
        })),
    })
}

fn metadata(body: MetadataResponse) -> Value {
    json!({
        "throttleTimeMs": body.throttle_time_ms.map(|one| one.0),
        "brokers": list(body.brokers, |broker| json!({
            "nodeId": broker.node_id.0,
            "host": broker.host.0,
            "port": broker.port.0,
            "rack": broker.rack.and_then(|one| one.0),
        })),
        "clusterId": body.cluster_id.and_then(|one| one.0),
        "controllerId": body.controller_id.map(|one| one.0),
        "topics": list(body.topics, |topic| json!({
            "errorCode": code(topic.error),
            "name": topic.name.0,
            "isInternal": topic.is_internal.map(|one| one.0),
            "partitions": list(topic.partitions, |one| json!({
                "errorCode": code(one.error),
                "partitionIndex": one.partition_index.0,
                "leaderId": one.leader_id.0,
                "replicaNodes": items(one.replica_nodes, |one| json!(one.0)),
                "isrNodes": items(one.isr_nodes, |one| json!(one.0)),
            })),
        })),
    })
}

fn sasl_handshake(body: SaslHandshakeResponse) -> Value {
    json!({ "errorCode": code(body.error_code), "mechanisms": items(body.mechanisms, |one| json!(one.0)) })
}

fn sasl_authenticate(body: SaslAuthenticateResponse) -> Value {
    json!({
        "errorCode": code(body.error_code),
        "errorMessage": body.error_message.0,
        "authBytes": body.auth_bytes.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
        "sessionLifetimeMs": body.session_lifetime_ms.map(|one| one.0),
    })
}

fn api_versions(body: ApiVersionsResponse) -> Value {
    json!({
        "errorCode": code(body.error_code),
        "apiKeys": list(body.api_keys, |one| json!({
            "apiKey": Int16::from(one.api_key).0,
            "minVersion": one.min_version.0 .0,
            "maxVersion": one.max_version.0 .0,
        })),
        "throttleTimeMs": body.throttle_time_ms.map(|one| one.0),
    })
}

fn create_topics(body: CreateTopicsResponse) -> Value {
    json!({
        "throttleTimeMs": body.throttle_time_ms.map(|one| one.0),
        "topics": list(body.topics, |topic| json!({
            "name": topic.name.0,
            "errorCode": code(topic.error),
            "errorMessage": topic.error_message.and_then(|one| one.0),
            "numPartitions": topic.num_partitions.map(|one| one.0),
            "replicationFactor": topic.replication_factor.map(|one| one.0),
            "configs": list(topic.configs, |one| json!({
                "name": one.name.0,
                "value": one.value.0,
                "readOnly": one.read_only.0,
                "configSource": one.config_source.0,
                "isSensitive": one.is_sensitive.0,
            })),
        })),
    })
}

fn delete_topics(body: DeleteTopicsResponse) -> Value {
    json!({
        "throttleTimeMs": body.throttle_time_ms.map(|one| one.0),
        "responses": list(body.responses, |topic| json!({
            "name": topic.name.0,
            "errorCode": code(topic.error),
            "errorMessage": topic.error_message.and_then(|one| one.0),
        })),
    })
}

fn delete_records(body: DeleteRecordsResponse) -> Value {
    json!({
        "throttleTimeMs": body.throttle_time_ms.0,
        "topics": list(body.topics, |topic| json!({
            "name": topic.name.0,
            "partitions": list(topic.partitions, |one| json!({
                "partitionIndex": one.partition_index.0,
                "lowWatermark": one.low_watermark.0,
                "errorCode": code(one.error),
            })),
        })),
    })
}

fn code(error: Option<Error>) -> i16 {
    Int16::from(error).0
}

fn list<T>(all: Vec<T>, told: impl Fn(T) -> Value) -> Value {
    all.into_iter().map(told).collect()
}

fn items<T>(all: Array<T>, told: impl Fn(T) -> Value) -> Option<Value> {
    all.0.map(|all| list(all, told))
}

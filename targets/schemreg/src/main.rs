//! schemreg's functions for what stands in front of a value, behind adapter protocol 1.

#[path = "../../../adapters/rust/serde.rs"]
mod serde;

use schemreg::wire::{decode_protobuf_message_indexes, decode_schema_id_header, decode_wire_format};
use schemreg::SchemaKey;
use serde::{hex, Answer, Question};
use serde_json::json;

fn read(question: &Question) -> Answer {
    let Some(data) = &question.data else {
        return Err((2, "null is for the caller".into()));
    };
    let is_protobuf = question.content.ends_with("protobuf");
    if question.content.starts_with("confluent-header") {
        let named = question.headers.iter().rev().find(|(name, _)| name == "__value_schema_id");
        let value = named.and_then(|(_, value)| value.clone()).ok_or((1, "there is no header".to_string()))?;
        let (key, indexes) = decode_schema_id_header(&value).map_err(refused)?;
        if is_protobuf && indexes.is_none() {
            return Err((1, "there are no indexes".into()));
        }
        return Ok(answer(key, indexes, data));
    }
    let (key, mut payload) = decode_wire_format(data).map_err(refused)?;
    let mut indexes = None;
    if is_protobuf {
        let (found, size) = decode_protobuf_message_indexes(payload).map_err(refused)?;
        (indexes, payload) = (Some(found), &payload[size..]);
    }
    Ok(answer(key, indexes, payload))
}

fn answer(key: SchemaKey, indexes: Option<Vec<u32>>, payload: &[u8]) -> String {
    let id = key.as_id().map(|id| id.as_u32());
    let guid = key.as_guid().map(|guid| guid.to_string().replace('-', ""));
    json!({"schema_id": id, "guid": guid, "indexes": indexes, "payload": hex(payload)}).to_string()
}

fn refused(error: schemreg::SchemaRegError) -> (u8, String) {
    (1, error.to_string())
}

fn main() {
    let parts = ["schema_id", "guid", "payload"];
    let more = ["schema_id", "guid", "payload", "indexes"];
    let serdes = json!({
        "confluent": parts, "confluent-guid": parts, "confluent-header": parts, "confluent-protobuf": more,
        "confluent-guid-protobuf": more, "confluent-header-protobuf": more,
    });
    serde::serve("schemreg", "0.6.0", &serdes.to_string(), read);
}

//! konsumer_offsets' reader of records of `__consumer_offsets`, behind adapter protocol 1.

#[path = "../../../adapters/rust/serde.rs"]
#[allow(dead_code)]
mod serde;

use konsumer_offsets::KonsumerOffsetsData;
use serde::{Answer, Question};
use serde_json::{json, Map};

const COMMIT: &str = "offset-commit-value";

/// The keys that such values have: a commit of `g` for partition 0 of `t`, and the group `g`.
const COMMIT_KEY: &[u8] = b"\0\x01\0\x01g\0\x01t\0\0\0\0";
const GROUP_KEY: &[u8] = b"\0\x02\0\x01g";

fn read(question: &Question) -> Answer {
    let Some(data) = &question.data else {
        return Err((2, "null is a tombstone".into()));
    };
    let key = if question.content == COMMIT { COMMIT_KEY } else { GROUP_KEY };
    match KonsumerOffsetsData::try_from_bytes(Some(key), Some(data)) {
        Ok(KonsumerOffsetsData::OffsetCommit(read)) => {
            let mut value = Map::new();
            value.insert("version".into(), read.schema_version.into());
            value.insert("offset".into(), read.offset.to_string().into());
            value.insert("metadata".into(), read.metadata.into());
            value.insert("commitTimestamp".into(), read.commit_timestamp.to_string().into());
            if read.schema_version == 1 {
                value.insert("expireTimestamp".into(), read.expire_timestamp.to_string().into());
            }
            if read.schema_version >= 3 {
                value.insert("leaderEpoch".into(), read.leader_epoch.into());
            }
            Ok(json!({ "value": value }).to_string())
        }
        Ok(_) => Err((2, "it gives what members told and not its bytes".into())),
        Err(error) => Err((1, error.to_string())),
    }
}

fn main() {
    let serdes = json!({COMMIT: ["value"], "group-metadata-value": ["value"]});
    serde::serve("konsumer_offsets", "0.3.2", &serdes.to_string(), read);
}

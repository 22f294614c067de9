//! rivine as a reader of log directories, behind adapter protocol 1.
//!
//! `PartitionLog::read` ends with the segment that an offset is in, and its broker answers a fetch with that; so the next
//! read begins after the last batch that came, or at the next segment where none came.

#[path = "../../common/rust/log_reader.rs"]
mod log_reader;
#[path = "../../common/rust/version.rs"]
mod version;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rivine::BrokerConfig;
use rivine::protocol::RecordBatchReader;
use rivine::storage::PartitionLog;
use log_reader::Answer;
use serde_json::{Value, json};


fn main() {
    let version = version::version_of("rivine", include_str!("../Cargo.lock"));
    log_reader::serve("rivine", &version, &["records", "segments"], answer);
}

fn answer(question: &Value) -> Answer {
    match question["ask"].as_str().unwrap() {
        "open" => records(question),
        "recover" => recover(question),
        other => Ok(json!({"unsupported": other})),
    }
}

fn opened(question: &Value) -> Result<(PathBuf, PartitionLog), Box<dyn Error>> {
    let folder = PathBuf::from(question["folder"].as_str().unwrap());
    let mut log = PartitionLog::open("orders", 0, &folder, Arc::new(BrokerConfig::default()))?;
    log.log_start_offset = log.log_start_offset.max(question["start_offset"].as_i64().unwrap());
    Ok((folder, log))
}

fn records(question: &Value) -> Answer {
    let (folder, log) = opened(question)?;
    let start = log.log_start_offset;
    let (mut at, mut found) = (start, Vec::new());
    while at < log.leo() {
        let before = at;
        let mut batches = RecordBatchReader::new(log.read(at, 1 << 20));
        loop {
            match batches.next_batch() {
                Ok(Some((batch, _))) => {
                    for record in &batch.records {
                        let offset = batch.base_offset + i64::from(record.offset_delta);
                        if offset >= start {
                            let timestamp = batch.base_timestamp + record.timestamp_delta;
                            let (key, value) = (record.key.as_deref().map(hex), record.value.as_deref().map(hex));
                            found.push(json!([offset, timestamp, key, value]));
                        }
                    }
                    at = at.max(batch.last_offset() + 1);
                }
                Ok(None) => break,
                Err(_) => {
                    found.push(json!([at, "CorruptRecordException"]));
                    return Ok(json!({"records": found}));
                }
            }
        }
        if at == before {
            match segments(&folder)?.into_iter().map(|(base, _)| base).find(|base| *base > at) {
                Some(base) => at = base,
                None => break,
            }
        }
    }
    Ok(json!({"records": found}))
}

fn recover(question: &Value) -> Answer {
    let (folder, log) = opened(question)?;
    drop(log);
    Ok(json!({"segments": segments(&folder)?}))
}

fn segments(folder: &Path) -> Result<Vec<(i64, u64)>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == "log") {
            let base: i64 = path.file_stem().unwrap().to_string_lossy().parse()?;
            found.push((base, path.metadata()?.len()));
        }
    }
    found.sort_unstable();
    Ok(found)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

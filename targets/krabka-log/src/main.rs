//! krabka-log as a reader of log directories, behind adapter protocol 1.
//!
//! `Log::open` is what the broker of the crate calls at its start, after a crash too; there is no other way in. It gives
//! no positions of batches, and no leader epochs of what it finds by time.

#[path = "../../common/rust/log_reader.rs"]
mod log_reader;
#[path = "../../common/rust/version.rs"]
mod version;

use std::error::Error;
use std::path::Path;

use krabka_log::{LeaderEpochCheckpoint, Log, LogConfig, Offset, TxnIndex, decode_producer_snapshot};
use krabka_units::prelude::mebibytes;
use log_reader::Answer;
use serde_json::{Value, json};


fn main() {
    let version = version::version_of("krabka-log", include_str!("../Cargo.lock"));
    log_reader::serve("krabka-log", &version, &["records", "times", "segments", "epochs", "values"], answer);
}

fn answer(question: &Value) -> Answer {
    match question["ask"].as_str().unwrap() {
        "open" => open(question),
        "recover" => recover(question),
        "read" => read(Path::new(question["file"].as_str().unwrap())),
        other => Ok(json!({"unsupported": other})),
    }
}

fn opened(question: &Value) -> Result<Log, Box<dyn Error>> {
    let mut log = Log::open(question["folder"].as_str().unwrap(), LogConfig::default())?;
    let start = Offset(question["start_offset"].as_i64().unwrap());
    if start > log.log_start_offset() {
        log.set_log_start_offset(start)?;
    }
    Ok(log)
}

fn open(question: &Value) -> Answer {
    let log = opened(question)?;
    let times = question["times"].as_array().unwrap().iter().map(|time| time.as_i64().unwrap());
    let found = times.map(|time| match log.offset_for_timestamp(time) {
        Some((offset, timestamp)) => json!([time, timestamp, offset.0]),
        None => json!([time]),
    });
    Ok(json!({"times": found.collect::<Vec<_>>(), "records": records(&log)?}))
}

fn records(log: &Log) -> Result<Vec<Value>, Box<dyn Error>> {
    let (mut at, mut found) = (log.log_start_offset(), Vec::new());
    while at < log.log_end_offset() {
        let batches = log.read(at, mebibytes(1))?.batches;
        let Some(last) = batches.last() else { break };
        for batch in &batches {
            for record in &batch.records {
                let offset = batch.base_offset + i64::from(record.offset_delta);
                if offset >= at.0 {
                    let timestamp = batch.base_timestamp + record.timestamp_delta;
                    found.push(json!([offset, timestamp, record.key.as_deref().map(hex), record.value.as_deref().map(hex)]));
                }
            }
        }
        at = Offset(last.base_offset + i64::from(last.last_offset_delta) + 1);
    }
    Ok(found)
}

fn recover(question: &Value) -> Answer {
    let log = opened(question)?;
    let epochs = log.epoch_checkpoint().entries().iter().map(|entry| json!([entry.epoch, entry.start_offset.0]));
    let epochs: Vec<_> = epochs.collect();
    log.close();
    let mut segments = Vec::new();
    for entry in std::fs::read_dir(question["folder"].as_str().unwrap())? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == "log") {
            let base: i64 = path.file_stem().unwrap().to_string_lossy().parse()?;
            segments.push((base, path.metadata()?.len()));
        }
    }
    segments.sort_unstable();
    Ok(json!({"segments": segments, "epochs": epochs}))
}

fn read(file: &Path) -> Answer {
    let name = file.file_name().unwrap().to_string_lossy();
    let rows: Vec<Value> = if name == "leader-epoch-checkpoint" {
        let found = LeaderEpochCheckpoint::open(file.into())?;
        found.entries().iter().map(|entry| json!([entry.epoch, entry.start_offset.0])).collect()
    } else if name.ends_with(".txnindex") {
        let found = TxnIndex::open(file.into())?;
        let row = |one: &krabka_log::AbortedTxn| {
            json!([one.producer_id.0, one.start_offset.0, one.last_offset.0, one.last_stable_offset.0])
        };
        found.entries().iter().map(row).collect()
    } else if let Some(offset) = name.strip_suffix(".snapshot") {
        let found = decode_producer_snapshot(&std::fs::read(file)?, Offset(offset.parse()?))?;
        let mut found: Vec<_> = found.into_values().collect();
        found.sort_unstable_by_key(|one| one.producer_id.0);
        let row = |one: &krabka_log::ProducerSnapshotEntry| {
            let first = one.current_txn_first_offset.map_or(-1, |offset| offset.0);
            json!([one.producer_id.0, one.producer_epoch, one.last_offset.0, one.timestamp, one.coordinator_epoch, first])
        };
        found.iter().map(row).collect()
    } else {
        return Ok(json!({"unsupported": "the crate reads no such file by itself"}));
    };
    Ok(json!({"values": rows}))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

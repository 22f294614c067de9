//! Puts the protocol's vectors to a codec: `kafka-conformance vectors --protocol --export out`, then
//! `cargo run --bin protocol -- out`.
use serde_json::Value;
use std::{collections::BTreeMap, env, error::Error, fs, path::Path};

/// Your codec: gives what `value` has, or an error to refuse.
fn decode(_data: &[u8], _kind: &str, _message: &str, _version: u64) -> Result<Value, Box<dyn Error>> {
    Err("your codec".into())
}

fn passes(vector: &Value, version: u64) -> bool {
    let text = |name: &str| vector[name].as_str().unwrap_or_default();
    let hex = text("hex");
    let data: Vec<u8> = (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
    match decode(&data, text("kind"), text("message"), version) {
        Ok(value) => vector["verdict"] != "invalid" && value == vector["value"],
        Err(_) => vector["verdict"] != "valid", // lenient ones may be refused, invalid ones must be
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: protocol DIR")?;
    let mut counts = BTreeMap::new();
    for file in fs::read_dir(Path::new(&folder).join("protocol"))? {
        for line in fs::read_to_string(file?.path())?.lines() {
            let vector: Value = serde_json::from_str(line)?;
            let (seen, passed) = counts.entry(vector["verdict"].to_string()).or_insert((0, 0));
            for version in vector["versions"].as_array().ok_or("no versions")? {
                *seen += 1;
                *passed += i32::from(passes(&vector, version.as_u64().ok_or("no version")?));
            }
        }
    }
    for (verdict, (seen, passed)) in counts {
        println!("{}: {seen} messages, {passed} passed", verdict.trim_matches('"'));
    }
    Ok(())
}

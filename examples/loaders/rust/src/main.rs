//! Puts the golden vectors to a decoder: `kafka-conformance vectors --export out`, then `cargo run -- out`.
use serde_json::Value;
use std::{env, error::Error, fs, path::Path};

/// Your decoder: gives what `answer` has, or an error to refuse. Only the format tells v07 from the rest.
fn decode(_data: &[u8], _format: &Value) -> Result<Value, Box<dyn Error>> {
    Err("your decoder".into())
}

fn passes(vector: &Value, data: &[u8]) -> bool {
    match decode(data, &vector["format"]) {
        Ok(records) => vector["verdict"] != "invalid" && records == vector["answer"],
        Err(_) => vector["verdict"] != "valid", // lenient ones may be refused, invalid ones must be
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: loader DIR")?;
    let read = |file: &Value| fs::read(Path::new(&folder).join(file.as_str().unwrap_or_default()));
    let manifest: Value = serde_json::from_slice(&read(&"manifest.json".into())?)?;
    let rows = manifest["vectors"].as_array().ok_or("no vectors")?;
    for verdict in ["invalid", "lenient", "valid"] {
        let (mut seen, mut size, mut passed) = (0, 0, 0);
        for row in rows {
            if row["direction"] == "decode" && row["verdict"] == verdict {
                let data = read(&row["bin"])?;
                let vector = serde_json::from_slice(&read(&row["json"])?)?;
                seen += 1;
                size += data.len();
                passed += i32::from(passes(&vector, &data));
            }
        }
        println!("{verdict}: {seen} vectors, {size} bytes, {passed} passed");
    }
    Ok(())
}

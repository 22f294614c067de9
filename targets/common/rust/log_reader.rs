//! Serves a reader of log directories over adapter protocol 1: a frame is an int32 length and that many bytes, of which the
//! first is the kind; `H` is answered with the hello, `F` brings a block of questions as JSON.

use std::error::Error;
use std::io::{stdin, stdout, Read, Write};

use serde_json::{json, Value};

/// What comes of a question: the answer, or why the files are refused. An answer with `unsupported` is a gap.
pub type Answer = Result<Value, Box<dyn Error>>;

/// Answers requests until the end of input. `parts` are those of the answers that the reader gives.
pub fn serve(name: &str, version: &str, parts: &[&str], answer: impl Fn(&Value) -> Answer) {
    let hello = json!({
        "protocol": 1, "name": name, "version": version, "language": "Rust", "formats": ["v2"], "logs": parts,
        "codecs": ["none", "gzip", "snappy", "lz4", "zstd"], "fields": [], "checks_crc": true, "directions": [],
    });
    let mut length = [0; 4];
    while stdin().read_exact(&mut length).is_ok() {
        let mut request = vec![0; u32::from_be_bytes(length) as usize];
        stdin().read_exact(&mut request).expect("the input ends inside a frame");
        let mut reply = request[..1].to_vec();
        if request[0] == b'H' {
            reply.extend(hello.to_string().into_bytes());
        } else {
            reply.extend(&request[1..9]); // the number of the block, and that of its questions
            let mut at = 9;
            while at < request.len() {
                let size = u32::from_be_bytes(request[at..at + 4].try_into().unwrap()) as usize;
                let question: Value = serde_json::from_slice(&request[at + 4..at + 4 + size]).unwrap();
                let (status, content) = result(answer(&question));
                reply.push(status);
                reply.extend((content.len() as u32).to_be_bytes());
                reply.extend(content.into_bytes());
                at += 4 + size;
            }
        }
        stdout().write_all(&[&(reply.len() as u32).to_be_bytes(), &reply[..]].concat()).unwrap();
        stdout().flush().unwrap();
    }
}

fn result(found: Answer) -> (u8, String) {
    match found {
        Err(error) => (1, error.to_string()),
        Ok(value) => match value.get("unsupported") {
            Some(what) => (2, what.to_string()),
            None => (0, value.to_string()),
        },
    }
}

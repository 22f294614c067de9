//! Serves a reader of keys and values over adapter protocol 1, with serde_json alone: copy this file. A frame is an int32
//! length and that many bytes, of which the first is the kind: `H` is answered with the hello, `F` brings questions.

use std::io::{stdin, stdout, Read, Write};

use serde_json::{json, Value};

/// A value to be read. No data is null; of the headers the last of a name counts. The schema is that of the payload, in
/// Avro, for readers that do not give the payload itself.
pub struct Question {
    pub content: String,
    pub data: Option<Vec<u8>>,
    pub headers: Vec<(String, Option<Vec<u8>>)>,
    pub schema: String,
}

/// Parts by name: schema_id, guid (hex), indexes, payload (hex), value. Or a failure: 1 with the library's error, 2 with
/// what the library does not claim to do.
pub type Answer = Result<Value, (u8, String)>;

/// Answers requests until the end of input. `serdes` has for each kind of content that is read the parts of answers.
pub fn serve(name: &str, version: &str, serdes: Value, read: impl Fn(&Question) -> Answer) {
    let hello = json!({
        "protocol": 1, "name": name, "version": version, "language": "Rust", "serdes": serdes, "formats": [],
        "codecs": [], "fields": [], "directions": [], "checks_crc": true,
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
                let end = at + 4 + u32::from_be_bytes(request[at..at + 4].try_into().unwrap()) as usize;
                let (status, content) = match read(&question(&request[at + 4..end])) {
                    Ok(answer) => (0, answer.to_string()),
                    Err(failure) => failure,
                };
                reply.push(status);
                reply.extend((content.len() as u32).to_be_bytes());
                reply.extend(content.into_bytes());
                at = end;
            }
        }
        stdout().write_all(&[&(reply.len() as u32).to_be_bytes(), &reply[..]].concat()).unwrap();
        stdout().flush().unwrap();
    }
}

/// Writes bytes in hex, as answers have them.
pub fn hex(data: &[u8]) -> String {
    data.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn question(input: &[u8]) -> Question {
    let asked: Value = serde_json::from_slice(input).unwrap();
    let header = |pair: &Value| (text(&pair[0]), octets(&pair[1]));
    Question {
        content: text(&asked["content"]),
        data: octets(&asked["data"]),
        headers: asked["headers"].as_array().unwrap().iter().map(header).collect(),
        schema: text(&asked["schema"]),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().into()
}

fn octets(value: &Value) -> Option<Vec<u8>> {
    let digits = value.as_str()?;
    Some((0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect())
}

//! Serves a reader of keys and values over adapter protocol 1, with the standard library alone: copy this file. A frame is
//! an int32 length and that many bytes, of which the first is the kind: `H` is answered with the hello, `F` brings
//! questions as JSON.

use std::io::{stdin, stdout, Read, Write};
use std::str::Chars;

/// A value to be read. No data is null; of the headers the last of a name counts. The schema is that of the payload, in
/// Avro, for readers that do not give the payload itself.
#[derive(Default)]
pub struct Question {
    pub content: String,
    pub data: Option<Vec<u8>>,
    pub headers: Vec<(String, Option<Vec<u8>>)>,
    pub schema: String,
}

/// An object of JSON with parts by name: schema_id, guid (hex), indexes, payload (hex), value. Or a failure: 1 with the
/// library's error, 2 with what the library does not claim to do. A panic is a crash, as it is for users.
pub type Answer = Result<String, (u8, String)>;

/// Answers requests until the end of input. `serdes` is JSON: for each kind of content that is read the parts of answers.
pub fn serve(name: &str, version: &str, serdes: &str, read: impl Fn(&Question) -> Answer) {
    let mut length = [0; 4];
    while stdin().read_exact(&mut length).is_ok() {
        let mut request = vec![0; u32::from_be_bytes(length) as usize];
        stdin().read_exact(&mut request).expect("the input ends inside a frame");
        let mut reply = request[..1].to_vec();
        if request[0] == b'H' {
            let none = r#""formats": [], "codecs": [], "fields": [], "directions": [], "checks_crc": true"#;
            let said = format!(r#""name": "{name}", "version": "{version}", "language": "Rust", "serdes": {serdes}"#);
            reply.extend(format!(r#"{{"protocol": 1, {said}, {none}}}"#).into_bytes());
        } else {
            reply.extend(&request[1..9]); // the number of the block, and that of its questions
            let mut at = 9;
            while at < request.len() {
                let end = at + 4 + u32::from_be_bytes(request[at..at + 4].try_into().unwrap()) as usize;
                let asked = question(std::str::from_utf8(&request[at + 4..end]).unwrap());
                let (status, content) = read(&asked).map_or_else(|failure| failure, |answer| (0, answer));
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

/// Reads a question, which has texts and nulls alone: those of its headers are inside two brackets more than the rest.
fn question(json: &str) -> Question {
    let (mut asked, mut depth, mut key, mut name) = (Question::default(), 0, None, None);
    let mut letters = json.chars();
    while let Some(letter) = letters.next() {
        let text = match letter {
            '"' => Some(text(&mut letters)),
            'n' => None,
            _ => {
                depth += "{[".contains(letter) as i32 - "}]".contains(letter) as i32;
                key = key.filter(|_| letter != ']' || depth > 1);
                continue;
            }
        };
        letters = if text.is_none() { letters.as_str()[3..].chars() } else { letters };
        match (depth, key.as_deref(), name.take()) {
            (1, None, _) => key = text,
            (1, Some(of), _) => {
                match of {
                    "content" => asked.content = text.unwrap_or_default(),
                    "data" => asked.data = octets(text),
                    _ => asked.schema = text.unwrap_or_default(),
                }
                key = None;
            }
            (_, _, Some(header)) => asked.headers.push((header, octets(text))),
            _ => name = text,
        }
    }
    asked
}

fn text(letters: &mut Chars) -> String {
    let mut units = Vec::new();
    while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
        let escaped = if letter == '\\' { letters.next().unwrap() } else { ' ' };
        match escaped {
            ' ' => units.extend(letter.encode_utf16(&mut [0; 2]).iter()),
            'u' => units.push(u16::from_str_radix(&letters.by_ref().take(4).collect::<String>(), 16).unwrap()),
            _ => units.push("bfnrt".find(escaped).map_or(escaped as u16, |at| [8, 12, 10, 13, 9][at])),
        }
    }
    String::from_utf16_lossy(&units)
}

fn octets(hex: Option<String>) -> Option<Vec<u8>> {
    let digits = hex?;
    Some((0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect())
}

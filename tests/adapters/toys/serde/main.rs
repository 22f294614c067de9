mod serde;

use serde::{hex, serve, Answer, Question};

fn read(question: &Question) -> Answer {
    if question.content == "string" {
        return Err((2, "no such thing".into()));
    }
    if question.content == "void" {
        let (key, value) = question.headers.last().unwrap();
        let said = value.as_ref().map_or("-".into(), |value| hex(value));
        let (key, schema) = (hex(key.as_bytes()), hex(question.schema.as_bytes()));
        return Ok(format!(r#"{{"value": "{key}:{said}:{schema}"}}"#));
    }
    match &question.data {
        Some(data) if !data.is_empty() => {
            let count = question.headers.len();
            Ok(format!(r#"{{"schema_id": {count}, "payload": "{}"}}"#, hex(data)))
        }
        _ => Err((1, "not so".into())),
    }
}

fn main() {
    serve("toy", "1", r#"{"confluent": ["schema_id", "payload"], "void": ["value"], "string": ["value"]}"#, read);
}

mod adapter;
use adapter::{Failure, Record};

fn full() -> Record {
    Record {
        offset: i64::MIN, timestamp: i64::MAX, timestamp_type: 1, key: Some(b"\0k".to_vec()), value: Some(vec![]),
        headers: vec![(Some(b"a".to_vec()), Some(vec![0xff])), (Some(b"a".to_vec()), None)],
        producer_id: 9007199254740993, producer_epoch: -3, sequence: i32::MAX, flags: 3, codec: 4,
    }
}

fn decode(data: &[u8]) -> Result<Vec<Record>, Failure> {
    match data {
        b"all" => Ok(vec![full()]),
        b"refuses" => Err((1, "not so".into())),
        b"cannot" => Err((2, "no such thing".into())),
        b"panic" => panic!("bad luck"),
        _ => Ok(vec![]),
    }
}

fn same(record: &&Record) -> bool {
    let of = |r: &Record| {
        let head = (r.offset, r.timestamp, r.timestamp_type, r.key.clone(), r.value.clone(), r.headers.clone());
        (head, r.producer_id, r.producer_epoch, r.sequence, r.flags, r.codec)
    };
    of(record) == of(&full())
}

fn encode(magic: i8, codec: i8, records: &[Record]) -> Result<Vec<u8>, Failure> {
    if codec > 3 {
        return Err((2, "no such codec".into()));
    }
    Ok(vec![magic as u8, codec as u8, records.iter().filter(same).count() as u8])
}

fn message(kind: i8, api: i16, version: i16, data: &[u8]) -> Result<Vec<u8>, Failure> {
    match data {
        b"refuses" => Err((1, "not so".into())),
        b"cannot" => Err((2, "no such thing".into())),
        _ => Ok([format!("{kind} {api} {version} ").as_bytes(), data].concat()),
    }
}

fn main() {
    adapter::serve_messages(r#"{"protocol": 1, "name": "toy"}"#, decode, encode, message);
}

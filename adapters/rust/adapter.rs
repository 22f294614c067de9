//! Serves a decoder in Rust over adapter protocol 1, with nothing but the standard library: copy this file.
//! The functions do exactly what the library's own consumer does with fetched records, and mend nothing.

use std::io::{stdin, stdout, Read, Write};

/// One record of an answer. Fields that the hello does not declare may stay as they are.
#[derive(Clone, Default)]
pub struct Record {
    pub offset: i64,
    pub timestamp: i64,
    pub timestamp_type: i8, // -1 none, 0 create time, 1 log append time
    pub key: Bytes,
    pub value: Bytes,
    pub headers: Vec<(Bytes, Bytes)>,
    pub producer_id: i64,
    pub producer_epoch: i16,
    pub sequence: i32,
    pub flags: i8, // 1 transactional, 2 control
    pub codec: i8, // 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd
}

/// Bytes, or null.
pub type Bytes = Option<Vec<u8>>;
/// Why there is no answer: 1 with the library's error, or 2 with what the library does not claim to do.
pub type Failure = (u8, String);

/// Answers requests until the end of input. The hello is JSON; only what it declares is asked for.
#[allow(dead_code)]
pub fn serve(
    hello: &str,
    decode: impl Fn(&[u8]) -> Result<Vec<Record>, Failure>,
    encode: impl Fn(i8, i8, &[Record]) -> Result<Vec<u8>, Failure>, // magic and codec first
) {
    serve_messages(hello, decode, encode, |_, _, _, _| Err((2, "it reads records only".into())))
}

/// The same for a library that reads requests and responses as well. `message` takes the kind (0 request, 1 response),
/// the API key, the version, and header and body; it gives JSON, or what the library writes, as the hello declares.
pub fn serve_messages(
    hello: &str,
    decode: impl Fn(&[u8]) -> Result<Vec<Record>, Failure>,
    encode: impl Fn(i8, i8, &[Record]) -> Result<Vec<u8>, Failure>,
    message: impl Fn(i8, i16, i16, &[u8]) -> Result<Vec<u8>, Failure>,
) {
    let mut length = [0; 4];
    while stdin().read_exact(&mut length).is_ok() {
        let mut request = vec![0; u32::from_be_bytes(length) as usize];
        stdin().read_exact(&mut request).expect("the input ends inside a frame");
        let from = &mut &request[..];
        let mut reply = take(from, 1).to_vec();
        if reply == b"H" {
            reply.extend(hello.as_bytes());
        } else {
            let kind = reply[0];
            let decoding = kind == b'D';
            reply.extend(take(from, 4)); // the number of the block
            take(from, usize::from(decoding)); // what the inputs are: 0, records, unless 0.7 is declared
            let count = int(from, 4);
            reply.extend((count as i32).to_be_bytes());
            for _ in 0..count {
                let result = if decoding {
                    decode(&bytes(from).unwrap()).map(|records| answer(&records))
                } else if kind == b'M' {
                    let (what, api, version) = (int(from, 1), int(from, 2), int(from, 2));
                    message(what as i8, api as i16, version as i16, &bytes(from).unwrap())
                } else {
                    let (magic, codec, _length) = (int(from, 1), int(from, 1), int(from, 4));
                    encode(magic as i8, codec as i8, &answered(from))
                };
                let failed = |(status, text): Failure| (status, text.into_bytes());
                let (status, content) = result.map_or_else(failed, |content| (0, content));
                reply.push(status);
                put(&mut reply, &Some(content));
            }
        }
        stdout().write_all(&[&(reply.len() as u32).to_be_bytes(), &reply[..]].concat()).unwrap();
        stdout().flush().unwrap();
    }
}

fn answer(records: &[Record]) -> Vec<u8> {
    let mut to = (records.len() as i32).to_be_bytes().to_vec();
    for record in records {
        to.extend([record.offset.to_be_bytes(), record.timestamp.to_be_bytes()].concat());
        to.push(record.timestamp_type as u8);
        put(&mut to, &record.key);
        put(&mut to, &record.value);
        to.extend((record.headers.len() as i32).to_be_bytes());
        record.headers.iter().flat_map(|(key, value)| [key, value]).for_each(|data| put(&mut to, data));
        to.extend(record.producer_id.to_be_bytes());
        to.extend(record.producer_epoch.to_be_bytes());
        to.extend(record.sequence.to_be_bytes());
        to.extend([record.flags as u8, record.codec as u8]);
    }
    to
}

fn answered(from: &mut &[u8]) -> Vec<Record> {
    let count = int(from, 4);
    let record = |_| Record {
        offset: int(from, 8),
        timestamp: int(from, 8),
        timestamp_type: int(from, 1) as i8,
        key: bytes(from),
        value: bytes(from),
        headers: (0..int(from, 4)).map(|_| (bytes(from), bytes(from))).collect(),
        producer_id: int(from, 8),
        producer_epoch: int(from, 2) as i16,
        sequence: int(from, 4) as i32,
        flags: int(from, 1) as i8,
        codec: int(from, 1) as i8,
    };
    (0..count).map(record).collect()
}

fn put(to: &mut Vec<u8>, data: &Bytes) {
    to.extend(data.as_ref().map_or(-1, |data| data.len() as i32).to_be_bytes());
    to.extend(data.iter().flatten());
}

fn bytes(from: &mut &[u8]) -> Bytes {
    let length = int(from, 4);
    (length >= 0).then(|| take(from, length as usize).to_vec())
}

/// Takes a signed integer of so many bytes.
fn int(from: &mut &[u8], size: usize) -> i64 {
    let value = take(from, size).iter().fold(0, |value, &byte| value << 8 | i64::from(byte));
    value << (64 - 8 * size) >> (64 - 8 * size)
}

fn take<'a>(from: &mut &'a [u8], size: usize) -> &'a [u8] {
    from.split_off(..size).expect("a frame ends before its last field")
}

//! One broker on the loopback interface, for libraries that only decode what they fetched themselves.
//!
//! It has one topic with one partition. A fetch gets the records that were last put there, from the entry on that has
//! the offset asked for; what a client produces is kept. It speaks the versions that the clients ask for: ApiVersions 3, Metadata 0, Produce 0 and 3, Fetch 0 and 4.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

pub const TOPIC: &str = "t";

/// A broker that runs as long as the process does.
pub struct Broker {
    port: u16,
    records: Arc<Mutex<Vec<u8>>>,
}

impl Broker {
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port on the loopback interface");
        let port = listener.local_addr().expect("the port").port();
        let records = Arc::new(Mutex::new(Vec::new()));
        let shared = records.clone();
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let records = shared.clone();
                thread::spawn(move || serve(connection, port, &records));
            }
        });
        Self { port, records }
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The records that fetches get, and that a client produced.
    pub fn records(&self) -> MutexGuard<'_, Vec<u8>> {
        self.records.lock().unwrap()
    }
}

/// Answers requests until the client hangs up.
fn serve(mut connection: TcpStream, port: u16, records: &Mutex<Vec<u8>>) -> Option<()> {
    connection.set_nodelay(true).ok()?;
    loop {
        let mut size = [0; 4];
        connection.read_exact(&mut size).ok()?;
        let mut request = vec![0; u32::from_be_bytes(size) as usize];
        connection.read_exact(&mut request).ok()?;
        let version = request[3];
        let body = match request[1] {
            0 => {
                *records.lock().unwrap() = produced(&request, version);
                produce_response(version)
            }
            1 => {
                let offset = i64_at(&request, request.len() - 12); // the last field but one
                fetch_response(version, from_offset(&records.lock().unwrap(), offset))
            }
            3 => metadata_response(port),
            18 => api_versions_response(),
            key => panic!("a client sent a request with key {key}"),
        };
        let response = [&request[4..8], &body].concat(); // after the correlation id
        connection.write_all(&bytes(&response)).ok()?;
    }
}

fn api_versions_response() -> Vec<u8> {
    let mut body = vec![0, 0, 4]; // no error, three keys
    for (key, version) in [(0, 3), (1, 4), (3, 0)] {
        body.extend([0, key, 0, version, 0, version, 0]);
    }
    body.extend([0; 5]); // throttle time, no tagged fields
    body
}

fn metadata_response(port: u16) -> Vec<u8> {
    let node = 1_i32.to_be_bytes();
    let brokers = [&one()[..], &node, &string("127.0.0.1"), &i32::from(port).to_be_bytes()].concat();
    let partition = [&[0; 2], &[0; 4][..], &node, &one(), &node, &one(), &node].concat();
    [&brokers[..], &one(), &[0; 2], &string(TOPIC), &one(), &partition].concat()
}

fn fetch_response(version: u8, records: &[u8]) -> Vec<u8> {
    let watermark = i64::MAX.to_be_bytes();
    let (throttle_time, transactions) = match version {
        0 => (vec![], vec![]),
        _ => (vec![0; 4], [watermark, [0xff; 8]].concat()[..12].to_vec()), // the last stable offset, and null
    };
    let partition = [&[0; 6][..], &watermark, &transactions, &bytes(records)].concat();
    [&throttle_time[..], &one(), &string(TOPIC), &one(), &partition].concat()
}

/// Leaves out the entries whose last offset is below the one asked for, as a broker does.
fn from_offset(mut records: &[u8], offset: i64) -> &[u8] {
    while records.len() >= 27 {
        let last_offset_delta = if records[16] == 2 { i32_at(records, 23) } else { 0 };
        let last_offset = i64_at(records, 0).wrapping_add(last_offset_delta.into());
        match usize::try_from(i32_at(records, 8)) {
            Ok(size) if last_offset < offset && 12 + size <= records.len() => records = &records[12 + size..],
            _ => break,
        }
    }
    records
}

fn produce_response(version: u8) -> Vec<u8> {
    let (append_time, throttle_time) = match version {
        0 => (vec![], vec![]),
        _ => (vec![0xff; 8], vec![0; 4]),
    };
    [&one()[..], &string(TOPIC), &one(), &[0; 6 + 8], &append_time, &throttle_time].concat()
}

/// Takes the records out of a produce request: they are its last field.
fn produced(request: &[u8], version: u8) -> Vec<u8> {
    let client_id = usize::from(u16::from_be_bytes([request[8], request[9]]));
    let transactional_id = if version < 3 { 0 } else { 2 }; // null
    let before = 10 + client_id + transactional_id + 2 + 4 + 4 + 2 + TOPIC.len() + 4 + 4 + 4;
    request[before..].to_vec()
}

fn i64_at(data: &[u8], place: usize) -> i64 {
    i64::from_be_bytes(data[place..place + 8].try_into().unwrap())
}

fn i32_at(data: &[u8], place: usize) -> i32 {
    i32::from_be_bytes(data[place..place + 4].try_into().unwrap())
}

fn one() -> [u8; 4] {
    1_i32.to_be_bytes()
}

fn string(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_be_bytes()[..], text.as_bytes()].concat()
}

fn bytes(data: &[u8]) -> Vec<u8> {
    [&(data.len() as u32).to_be_bytes()[..], data].concat()
}

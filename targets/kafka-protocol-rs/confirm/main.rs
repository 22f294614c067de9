//! kafka-protocol: what `RecordBatchDecoder::decode_all` gives. Arguments: an address, a topic (unused), a file.

use kafka_protocol::records::RecordBatchDecoder;

fn text(data: Option<&[u8]>) -> String {
    match data {
        None => "null".into(),
        Some([]) => "empty".into(),
        Some(data) => data.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

fn main() {
    let data = std::fs::read(std::env::args().nth(3).expect("a file")).expect("its bytes");
    match RecordBatchDecoder::decode_all(&mut bytes::Bytes::from(data)) {
        Err(error) => println!("error: {}", format!("{error:#}").trim()),
        Ok(sets) => {
            for one in sets.iter().flat_map(|set| &set.records) {
                let (key, value) = (text(one.key.as_deref()), text(one.value.as_deref()));
                let (offset, timestamp, sequence) = (one.offset, one.timestamp, one.sequence);
                let headers: Vec<_> =
                    one.headers.iter().map(|(name, value)| format!("{}:{}", &**name, text(value.as_deref()))).collect();
                let headers = headers.join(",");
                println!("offset={offset} timestamp={timestamp} key={key} value={value} headers={headers} sequence={sequence}");
            }
        }
    }
}

//! kafka-protocol: what `RequestKind` and `ResponseKind` give. Arguments: request or response, API, version, a file.

use bytes::Bytes;
use kafka_protocol::messages::{ApiKey, RequestHeader, RequestKind, ResponseHeader, ResponseKind};
use kafka_protocol::protocol::Decodable;

fn main() -> anyhow::Result<()> {
    let given: Vec<String> = std::env::args().collect();
    let (number, version): (i16, i16) = (given[2].parse()?, given[3].parse()?);
    let api = ApiKey::try_from(number).expect("an API");
    println!("{api:?} has versions {}", api.valid_versions());
    let mut data = Bytes::from(std::fs::read(&given[4])?);
    let read = if given[1] == "request" {
        RequestHeader::decode(&mut data, api.request_header_version(version))?;
        RequestKind::decode(api, &mut data, version).map(|one| format!("{one:?}"))
    } else {
        ResponseHeader::decode(&mut data, api.response_header_version(version))?;
        ResponseKind::decode(api, &mut data, version).map(|one| format!("{one:?}"))
    };
    match read {
        Ok(text) => println!("{text}"),
        Err(error) => println!("error: {error:#}"),
    }
    Ok(())
}

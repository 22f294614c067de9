//! Requests and responses: read by the crate's types, and written by them again.

use crate::adapter::Failure;
use bytes::{Bytes, BytesMut};
use kafka_protocol::messages::{ApiKey, RequestHeader, RequestKind, ResponseHeader, ResponseKind};
use kafka_protocol::protocol::{Decodable, Encodable};

/// Takes the kind (0 request, 1 response), API key, version, and header and body.
pub fn rewrite(kind: i8, api: i16, version: i16, data: &[u8]) -> Result<Vec<u8>, Failure> {
    let key = ApiKey::try_from(api).map_err(|()| (2, format!("no API {api}")))?;
    let versions = key.valid_versions();
    if version < versions.min || version > versions.max {
        return Err((2, format!("no version {version} of {key:?}, only {versions}")));
    }
    let data = &mut Bytes::copy_from_slice(data);
    let written = if kind == 0 { request(key, version, data) } else { response(key, version, data) };
    written.map(Into::into).map_err(|error| (1, format!("{error:#}")))
}

fn request(key: ApiKey, version: i16, data: &mut Bytes) -> anyhow::Result<BytesMut> {
    let (number, mut written) = (key.request_header_version(version), BytesMut::new());
    RequestHeader::decode(data, number)?.encode(&mut written, number)?;
    RequestKind::decode(key, data, version)?.encode(&mut written, version)?;
    Ok(written)
}

fn response(key: ApiKey, version: i16, data: &mut Bytes) -> anyhow::Result<BytesMut> {
    let (number, mut written) = (key.response_header_version(version), BytesMut::new());
    ResponseHeader::decode(data, number)?.encode(&mut written, number)?;
    ResponseKind::decode(key, data, version)?.encode(&mut written, version)?;
    Ok(written)
}

//! rskafka: what `PartitionClient::produce` sends. Arguments: the broker's address, the topic, the records.
//! Headers go into a map, as it wants them: of one name, the last.

use std::collections::BTreeMap;

use chrono::DateTime;
use rskafka::client::partition::{Compression, UnknownTopicHandling};
use rskafka::client::ClientBuilder;
use rskafka::record::Record;

fn octets(text: &str) -> Option<Vec<u8>> {
    let digits = match text {
        "null" => return None,
        "empty" => "",
        digits => digits,
    };
    Some((0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex")).collect())
}

fn record(line: &str) -> Record {
    let fields: BTreeMap<_, _> = line.split(' ').filter_map(|part| part.split_once('=')).collect();
    let headers = fields.get("headers").map_or(vec![], |text| text.split(',').collect());
    let named = headers.iter().filter_map(|header| header.split_once(':')).map(|(name, value)| {
        let name = String::from_utf8(octets(name).expect("a name")).expect("UTF-8");
        (name, octets(value).expect("a value: it has no type for null"))
    });
    let timestamp = fields["timestamp"].parse().expect("a number");
    Record {
        key: octets(fields["key"]),
        value: octets(fields["value"]),
        headers: named.collect(),
        timestamp: DateTime::from_timestamp_millis(timestamp).expect("a time"),
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<_> = std::env::args().collect();
    let client = ClientBuilder::new(vec![arguments[1].clone()]).build().await.expect("a client");
    let partition = client.partition_client(&arguments[2], 0, UnknownTopicHandling::Retry).await.expect("a partition");
    let records = std::fs::read_to_string(&arguments[3]).expect("records").lines().map(record).collect();
    if let Err(error) = partition.produce(records, Compression::NoCompression).await {
        println!("error: {error}");
    }
}

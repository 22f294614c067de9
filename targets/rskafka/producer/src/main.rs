//! Writes orders with rskafka: `wild-rskafka HOST:PORT < orders`.
use std::{collections::BTreeMap, error::Error, time::Duration};

use chrono::DateTime;
use rskafka::client::partition::{Compression, UnknownTopicHandling};
use rskafka::client::ClientBuilder;
use rskafka::record::Record;
use serde::Deserialize;

#[derive(Deserialize)]
struct Sent {
    key: Option<String>,
    value: Option<String>,
    headers: Vec<(String, Option<String>)>,
    timestamp: i64,
}

#[derive(Deserialize)]
struct Order {
    name: String,
    topic: String,
    codec: String,
    records: Vec<Sent>,
}

async fn write(address: &str, order: &Order) -> Result<(), Box<dyn Error>> {
    let client = ClientBuilder::new(vec![address.to_owned()]).build().await?;
    if let Ok(controller) = client.controller_client() {
        let _ = controller.create_topic(&order.topic, 1, 1, 5_000).await; // some brokers make it when asked for it
    }
    let partition = client.partition_client(&order.topic, 0, UnknownTopicHandling::Retry).await?;
    let codec = match order.codec.as_str() {
        "gzip" => Compression::Gzip,
        "snappy" => Compression::Snappy,
        "lz4" => Compression::Lz4,
        "zstd" => Compression::Zstd,
        _ => Compression::NoCompression,
    };
    let mut headers = order.records.iter().flat_map(|sent| &sent.headers);
    if headers.any(|(_, value)| value.is_none()) {
        return Err("it has no headers without a value".into());
    }
    let bytes = |text: &Option<String>| text.clone().map(String::into_bytes);
    let records = order.records.iter().map(|sent| Record {
        key: bytes(&sent.key),
        value: bytes(&sent.value),
        headers: sent
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), bytes(value).unwrap_or_default()))
            .collect::<BTreeMap<_, _>>(),
        timestamp: DateTime::from_timestamp_millis(sent.timestamp).unwrap(),
    });
    partition.produce(records.collect(), codec).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).expect("the broker's address");
    let orders: Vec<Order> = serde_json::from_reader(std::io::stdin())?;
    for order in &orders {
        let outcome = tokio::time::timeout(Duration::from_secs(30), write(&address, order)).await;
        let failures: Vec<String> = match outcome {
            Ok(Ok(())) => vec![],
            Ok(Err(error)) => vec![error.to_string()],
            Err(_) => vec!["no answer within 30 s".to_owned()],
        };
        let line = serde_json::json!({"order": order.name, "version": "rskafka 0.6.0", "failures": failures});
        println!("{line}");
    }
    Ok(())
}

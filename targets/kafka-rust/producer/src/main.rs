//! Writes orders with kafka-rust: `wild-kafka-rust HOST:PORT < orders`.
use std::time::Duration;

use kafka::client::{Compression, KafkaClient, ProduceMessage, RequiredAcks};
use serde::Deserialize;

#[derive(Deserialize)]
struct Sent {
    key: Option<String>,
    value: Option<String>,
}

#[derive(Deserialize)]
struct Order {
    name: String,
    topic: String,
    codec: String,
    records: Vec<Sent>,
}

fn write(address: &str, order: &Order) -> Result<(), String> {
    let mut client = KafkaClient::new(vec![address.to_owned()]);
    client.set_compression(match order.codec.as_str() {
        "none" => Compression::NONE,
        "gzip" => Compression::GZIP,
        "snappy" => Compression::SNAPPY,
        _ => return Err("it has no such codec".to_owned()),
    });
    let messages: Vec<ProduceMessage> = order.records.iter().map(|sent| {
        let (key, value) = (sent.key.as_deref().map(str::as_bytes), sent.value.as_deref().map(str::as_bytes));
        ProduceMessage::new(&order.topic, 0, key, value)
    }).collect();
    let mut failure = String::new();
    for _ in 0..20 { // the topic is being created
        failure = match send(&mut client, order, &messages) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        std::thread::sleep(Duration::from_millis(250));
    }
    Err(failure)
}

fn send<'a>(
    client: &mut KafkaClient, order: &Order, messages: &[ProduceMessage<'a, 'a>],
) -> Result<(), String> {
    client.load_metadata(&[&order.topic]).map_err(|error| error.to_string())?;
    let confirmed = client
        .produce_messages(RequiredAcks::One, Duration::from_secs(10), messages)
        .map_err(|error| error.to_string())?;
    for partition in confirmed.iter().flat_map(|topic| &topic.partition_confirms) {
        partition.offset.map_err(|code| format!("{code:?}"))?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).expect("the broker's address");
    let orders: Vec<Order> = serde_json::from_reader(std::io::stdin())?;
    for order in &orders {
        let failures: Vec<String> = write(&address, order).err().into_iter().collect();
        let line = serde_json::json!({"order": order.name, "version": "kafka-rust 0.10.0", "failures": failures});
        println!("{line}");
    }
    Ok(())
}

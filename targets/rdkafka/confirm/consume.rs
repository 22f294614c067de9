//! rdkafka: what `BaseConsumer::poll` gives of a partition. Arguments: the broker's address, the topic, a file that is
//! not read, the isolation level.

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{Headers, Message};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};
use std::time::Duration;

const QUIET: Duration = Duration::from_secs(5);

fn text(data: Option<&[u8]>) -> String {
    match data {
        None => "null".into(),
        Some([]) => "empty".into(),
        Some(data) => data.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", &given[0]).set("isolation.level", &given[3]).set("group.id", "confirm");
    config.set("check.crcs", "true").set("log_level", "0");
    let consumer: BaseConsumer = config.create().expect("a consumer");
    let mut assigned = TopicPartitionList::new();
    assigned.add_partition_offset(&given[1], 0, Offset::Beginning).expect("an offset");
    consumer.assign(&assigned).expect("an assignment");
    while let Some(polled) = consumer.poll(QUIET) {
        match polled {
            Err(error) => return println!("error: {error}"),
            Ok(message) => {
                print!("offset={} timestamp={:?} ", message.offset(), message.timestamp());
                print!("key={} value={}", text(message.key()), text(message.payload()));
                println!(" headers={}", message.headers().map_or("none".into(), listed));
            }
        }
    }
}

fn listed(headers: &impl Headers) -> String {
    headers.iter().map(|one| format!("{}:{}", text(Some(one.key.as_bytes())), text(one.value))).collect::<Vec<_>>().join(",")
}

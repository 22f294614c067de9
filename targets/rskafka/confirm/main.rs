//! rskafka: what `PartitionClient::fetch_records` gives. Arguments: the broker's address, the topic.

use rskafka::client::partition::UnknownTopicHandling;
use rskafka::client::ClientBuilder;

fn text(data: Option<&[u8]>) -> String {
    match data {
        None => "null".into(),
        Some([]) => "empty".into(),
        Some(data) => data.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

async fn run(address: String, topic: String) {
    let client = ClientBuilder::new(vec![address]).build().await.expect("a client");
    let partition = client.partition_client(topic, 0, UnknownTopicHandling::Error).await.expect("a partition");
    match partition.fetch_records(0, 1..1_000_000, 1000).await {
        Err(error) => println!("error: {error}"),
        Ok((records, _)) => {
            for one in records {
                let record = one.record;
                let (key, value) = (text(record.key.as_deref()), text(record.value.as_deref()));
                let headers: Vec<_> =
                    record.headers.iter().map(|(name, value)| format!("{name}:{}", text(Some(value)))).collect();
                let (offset, timestamp) = (one.offset, record.timestamp.timestamp_millis());
                println!("offset={offset} timestamp={timestamp} key={key} value={value} headers={}", headers.join(","));
            }
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (address, topic) = (arguments.next().expect("an address"), arguments.next().expect("a topic"));
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(run(address, topic));
}

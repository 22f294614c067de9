//! kafka-rust: what `Consumer::poll` gives of a topic. Arguments: the broker's address, the topic.

use kafka::consumer::{Consumer, FetchOffset};

fn text(data: &[u8]) -> String {
    if data.is_empty() { "empty".into() } else { data.iter().map(|byte| format!("{byte:02x}")).collect() }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (address, topic) = (arguments.next().expect("an address"), arguments.next().expect("a topic"));
    let consumer = Consumer::from_hosts(vec![address]).with_topic(topic).with_fallback_offset(FetchOffset::Earliest);
    let mut consumer = consumer.create().expect("a consumer");
    loop {
        match consumer.poll() {
            Err(error) => return println!("error: {error}"),
            Ok(sets) if sets.is_empty() => return,
            Ok(sets) => {
                for one in sets.iter().flat_map(|set| set.messages().iter()) {
                    println!("offset={} key={} value={}", one.offset, text(one.key), text(one.value));
                }
            }
        }
    }
}

//! rskafka's `PartitionClient`, one for each topic, which fetches from where its last record was. docs/broker.md
//! describes what a driver says. A task that panics tells so, as an application's log does.

#[path = "../../../common/rust/version.rs"]
mod version;

use rskafka::client::partition::{PartitionClient, UnknownTopicHandling};
use rskafka::client::{Client, ClientBuilder};
use rskafka::record::RecordAndOffset;
use rskafka::BackoffConfig;
use std::fmt::Display;
use std::io::Result;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{stdin, stdout, AsyncReadExt, AsyncWriteExt};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

const POLL: Duration = Duration::from_millis(100);
const HELLO: &str = r#"{"protocol": 1, "name": "rskafka", "version": "VERSION", "language": "Rust",
    "formats": ["v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"], "isolations": ["read_uncommitted"],
    "fields": ["offset", "timestamp", "key", "value", "headers"], "checks_crc": true, "directions": ["decode"],
    "requests": ["deliver"], "partial": true, "url": "https://github.com/influxdata/rskafka"}"#;

/// What the application gets, until the suite asks for it.
#[derive(Default)]
struct Lines {
    lines: Mutex<Vec<String>>,
    news: Notify,
}

impl Lines {
    fn add(&self, line: String) {
        self.lines.lock().unwrap().push(line);
        self.news.notify_one();
    }

    fn error(&self, topic: &str, error: impl Display) {
        let text = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        self.add(format!("error\t{topic}\t{}", text.chars().take(500).collect::<String>()));
    }

    async fn take(&self) -> String {
        if self.lines.lock().unwrap().is_empty() {
            let _ = timeout(POLL, self.news.notified()).await;
        }
        std::mem::take(&mut *self.lines.lock().unwrap()).join("\n")
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let (mut input, mut output) = (stdin(), stdout());
    let lines = Arc::new(Lines::default());
    let mut tasks: Vec<JoinHandle<()>> = Vec::new();
    while let Ok(size) = input.read_i32().await {
        let mut body = vec![0; size as usize];
        input.read_exact(&mut body).await?;
        let text = String::from_utf8_lossy(&body[1..]).into_owned();
        let said = match body[0] {
            b'H' => HELLO.replace("VERSION", version::version_of("rskafka", include_str!("../Cargo.lock"))),
            b'A' => {
                tasks = assign(&text, &lines).await;
                String::new()
            }
            b'P' => lines.take().await,
            _ => {
                tasks.drain(..).for_each(|task| task.abort());
                lines.take().await
            }
        };
        output.write_i32(1 + said.len() as i32).await?;
        output.write_all(&body[..1]).await?;
        output.write_all(said.as_bytes()).await?;
        output.flush().await?;
    }
    std::process::exit(0) // a task that spins does not end
}

async fn assign(text: &str, lines: &Arc<Lines>) -> Vec<JoinHandle<()>> {
    let mut rows = text.split('\n').map(|row| row.split('\t').collect::<Vec<_>>());
    let broker = rows.next().expect("an address")[0].to_owned();
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(50),
        max_backoff: POLL,
        deadline: Some(Duration::from_millis(500)),
        ..Default::default()
    };
    let client = match ClientBuilder::new(vec![broker]).backoff_config(backoff).build().await {
        Ok(client) => Arc::new(client),
        Err(error) => {
            lines.error("?", error);
            return Vec::new();
        }
    };
    rows.map(|row| {
        let (topic, offset) = (row[0].to_owned(), row[1].parse().expect("an offset"));
        tokio::spawn(watch(client.clone(), topic, offset, lines.clone()))
    })
    .collect()
}

/// Consumes a topic, again if it panics.
async fn watch(client: Arc<Client>, topic: String, offset: i64, lines: Arc<Lines>) {
    let position = Arc::new(Mutex::new(offset));
    loop {
        let task = tokio::spawn(consume(client.clone(), topic.clone(), position.clone(), lines.clone()));
        let Aborting(task) = &mut Aborting(task);
        match task.await {
            Ok(()) => lines.error(&topic, "cannot be asked"),
            Err(error) => lines.error(&topic, error),
        }
        sleep(POLL).await;
    }
}

/// Ends a task with whoever waits for it.
struct Aborting(JoinHandle<()>);

impl Drop for Aborting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn consume(client: Arc<Client>, topic: String, position: Arc<Mutex<i64>>, lines: Arc<Lines>) {
    let partition: PartitionClient = match client.partition_client(&topic, 0, UnknownTopicHandling::Error).await {
        Ok(partition) => partition,
        Err(error) => return lines.error(&topic, error),
    };
    loop {
        let offset = *position.lock().unwrap();
        match partition.fetch_records(offset, 1..1 << 26, POLL.as_millis() as i32).await {
            Ok((records, _)) => {
                for found in records {
                    *position.lock().unwrap() = found.offset.saturating_add(1);
                    lines.add(line(&topic, &found));
                }
            }
            Err(error) => {
                lines.error(&topic, error);
                sleep(POLL).await;
            }
        }
    }
}

fn line(topic: &str, found: &RecordAndOffset) -> String {
    let record = &found.record;
    let (key, value) = (hex(record.key.as_deref()), hex(record.value.as_deref()));
    let time = record.timestamp.timestamp_millis();
    let mut line = format!("record\t{topic}\t{}\t{time}\t0\t{key}\t{value}", found.offset);
    for (name, content) in &record.headers {
        line += &format!("\t{}\t{}", hex(Some(name.as_bytes())), hex(Some(content)));
    }
    line
}

fn hex(bytes: Option<&[u8]>) -> String {
    match bytes {
        None => "-".to_owned(),
        Some(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

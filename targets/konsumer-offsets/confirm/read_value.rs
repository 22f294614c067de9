//! konsumer_offsets: what it gives of a value of `__consumer_offsets`. Arguments: the kind of content, headers (unused), a
//! file.

use konsumer_offsets::KonsumerOffsetsData;

fn main() {
    let arguments: Vec<_> = std::env::args().collect();
    let data = std::fs::read(&arguments[3]).expect("a file");
    let key: &[u8] = if arguments[1] == "offset-commit-value" { b"\0\x01\0\x01g\0\x01t\0\0\0\0" } else { b"\0\x02\0\x01g" };
    std::panic::set_hook(Box::new(|_| ()));
    match std::panic::catch_unwind(|| KonsumerOffsetsData::try_from_bytes(Some(key), Some(&data))) {
        Ok(Ok(KonsumerOffsetsData::OffsetCommit(read))) => {
            println!("version={} metadata={:?}", read.schema_version, read.metadata)
        }
        Ok(Ok(KonsumerOffsetsData::GroupMetadata(read))) => println!("members={}", read.members.len()),
        Ok(Err(error)) => println!("error: {error}"),
        Err(panic) => println!("panic: {}", panic.downcast_ref::<&str>().copied().unwrap_or("it says no text")),
    }
}

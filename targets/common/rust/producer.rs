//! What producers can be asked to write, and what a broker adds to it.

use crate::adapter::{Failure, Record};

/// Refuses records that no producer can be asked for: most of what they hold is a broker's to decide.
pub fn producible(magic: i8, codec: i8, records: &[Record]) -> Result<(), Failure> {
    let gap = |what: &str| Err((2, what.to_owned()));
    for (offset, record) in (records[0].offset..).zip(records) {
        if record.flags & 2 != 0 || record.timestamp_type == 1 {
            return gap("a producer writes neither control batches nor log append time");
        } else if (record.flags, record.producer_id, record.sequence) != (0, -1, -1) {
            return gap("a producer does not choose its id and its sequence");
        } else if record.offset != offset {
            return gap("a producer leaves no gaps between offsets");
        } else if magic == 0 && codec != 0 && offset != 0 {
            return gap("a broker writes the offsets that stand within a wrapper of magic 0");
        }
    }
    Ok(())
}

/// Gives each batch, message or wrapper the offset that a broker gives it. No checksum covers it.
pub fn appended(mut written: Vec<u8>, records: &[Record]) -> Vec<u8> {
    let (mut place, mut record) = (0, 0);
    while place < written.len() {
        let entry = &mut written[place..];
        let int = |at: usize| u32::from_be_bytes(entry[at..at + 4].try_into().unwrap()) as usize;
        place += 12 + int(8);
        let count = match (entry[16], entry[17] & 7) {
            (2, _) => int(57),
            (_, 0) => 1,
            _ => records.len(),
        };
        let named = if entry[16] == 2 { record } else { record + count - 1 }; // the first of a batch, else the last
        entry[..8].copy_from_slice(&records[named].offset.to_be_bytes());
        record += count;
    }
    written
}

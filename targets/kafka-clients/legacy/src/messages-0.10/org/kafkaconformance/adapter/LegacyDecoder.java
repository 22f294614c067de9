package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.LogEntry;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.Record;

/** 0.10.0 and 0.10.1: as the consumer's Fetcher reads with check.crcs. The codec of a wrapper is not told. */
final class LegacyDecoder {
    static final List<String> FORMATS = List.of("v0", "v1");
    static final List<String> FIELDS = List.of("offset", "timestamp", "timestamp_type", "key", "value");

    /** Adds the records of a run of entries; throws what Kafka throws. */
    void decode(ByteBuffer entries, LegacySession.Records records) {
        for (LogEntry entry : MemoryRecords.readableRecords(entries)) {
            Record record = entry.record();
            record.ensureValid();
            records.add(entry.offset(), record.timestamp(), record.timestampType().id, record.key(), record.value());
        }
    }
}

package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.record.LogEntry;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.Record;

/** 0.9: as its consumer's Fetcher reads with check.crcs, which checks the messages that it returns, inner ones too. */
final class LegacyDecoder {
    static final List<String> FORMATS = List.of("v0");
    static final List<String> FIELDS = List.of("offset", "key", "value");

    /** Adds the records of a run of entries; throws what Kafka throws. */
    void decode(ByteBuffer entries, LegacySession.Records records) {
        for (LogEntry entry : MemoryRecords.readableRecords(entries)) {
            Record record = entry.record();
            record.ensureValid();
            records.add(entry.offset(), 0, 0, record.key(), record.value());
        }
    }
}

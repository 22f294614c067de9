package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.utils.*;

/**
 * 0.11 to 3.x: as the consumer reads with check.crcs and isolation.level read_committed.
 *
 * <p>The order of the checks is that of org.apache.kafka.clients.consumer.internals.Fetcher: the checksum of a v2 batch,
 * the type of a transaction marker, then record by record, the checksum of a v0 or v1 message last. BufferSupplier has
 * moved from one package to the other in 2.4, hence the imports on demand.
 */
final class LegacyDecoder {
    static final List<String> FORMATS = List.of("v0", "v1", "v2");
    static final List<String> FIELDS = List.of("offset", "timestamp", "timestamp_type", "key", "value", "headers",
            "producer_id", "producer_epoch", "sequence", "transactional", "control", "codec");

    private final BufferSupplier decompressionBuffers = BufferSupplier.create();

    /** Adds the records of a run of entries; throws what Kafka throws. */
    void decode(ByteBuffer entries, LegacySession.Records records) {
        for (RecordBatch batch : MemoryRecords.readableRecords(entries).batches())
            decodeBatch(batch, records);
    }

    private void decodeBatch(RecordBatch batch, LegacySession.Records records) {
        if (batch.magic() >= RecordBatch.MAGIC_VALUE_V2)
            batch.ensureValid();
        if (batch.isControlBatch() && batch.hasProducerId())
            checkMarker(batch);
        try (CloseableIterator<Record> found = batch.streamingIterator(decompressionBuffers)) {
            while (found.hasNext()) {
                Record record = found.next();
                record.ensureValid();
                records.add(answer(batch, record));
            }
        }
    }

    private static AnswerRecord answer(RecordBatch batch, Record record) {
        return new AnswerRecord(record.offset(), record.timestamp(), (byte) batch.timestampType().id, record.key(),
                record.value(), Arrays.stream(record.headers()).map(LegacyDecoder::header).toList(), batch.producerId(),
                batch.producerEpoch(), record.sequence(), batch.isTransactional(), batch.isControlBatch(),
                (byte) batch.compressionType().id);
    }

    private static AnswerRecord.AnswerHeader header(Header header) {
        // Kafka has made a string of the key: bytes that are not UTF-8 are U+FFFD by now.
        ByteBuffer key = StandardCharsets.UTF_8.encode(header.key());
        return new AnswerRecord.AnswerHeader(key, header.value() == null ? null : ByteBuffer.wrap(header.value()));
    }

    /** A read_committed consumer looks at the first record only, and throws for a key it cannot read. */
    private static void checkMarker(RecordBatch batch) {
        Iterator<Record> records = batch.iterator();
        if (records.hasNext())
            ControlRecordType.parse(records.next().key());
    }
}

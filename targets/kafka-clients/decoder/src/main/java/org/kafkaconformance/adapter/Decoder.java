package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;

/**
 * Decodes as Kafka's consumer does, with check.crcs (the default) and isolation.level read_committed.
 *
 * <p>The order of the checks is that of org.apache.kafka.clients.consumer.internals.CompletedFetch: the checksum of a
 * v2 batch, the type of a transaction marker, then record by record, the checksum of a v0 or v1 message last. A partial
 * last entry is passed over in silence. Two things the consumer does are left to the caller, who knows no fetch
 * position and has no aborted transactions: no record is skipped.
 */
final class Decoder {
    private final BufferSupplier decompressionBuffers = BufferSupplier.create();
    private int recordsRead;
    private int end;

    /** Where the last whole record of the last call ends in the reply. */
    int end() {
        return end;
    }

    /** How many records the last call had read when it ended, be it with an error. */
    int recordsRead() {
        return recordsRead;
    }

    /** Writes the answer for a run of entries; throws what Kafka throws. */
    void decode(ByteBuffer entries, Reply reply) {
        recordsRead = 0;
        int count = reply.reserveInt();
        for (RecordBatch batch : MemoryRecords.readableRecords(entries).batches())
            decodeBatch(batch, reply);
        reply.setInt(count, recordsRead);
    }

    private void decodeBatch(RecordBatch batch, Reply reply) {
        if (batch.magic() >= RecordBatch.MAGIC_VALUE_V2)
            batch.ensureValid();
        if (batch.isControlBatch() && batch.hasProducerId())
            checkMarker(batch);
        // Kafka's Record goes by "var": imported on demand, its name would clash with java.lang.Record.
        try (var records = batch.streamingIterator(decompressionBuffers)) {
            while (records.hasNext()) {
                var record = records.next();
                record.ensureValid();
                Answers.write(new AnswerRecord(record.offset(), record.timestamp(), (byte) batch.timestampType().id,
                        record.key(), record.value(), headers(record.headers()), batch.producerId(),
                        batch.producerEpoch(), record.sequence(), batch.isTransactional(), batch.isControlBatch(),
                        batch.compressionType().id), reply);
                reply.checkSize();
                recordsRead++;
                end = reply.position();
            }
        }
    }

    private static List<AnswerRecord.AnswerHeader> headers(Header[] headers) {
        if (headers.length == 0)
            return List.of();
        return Arrays.stream(headers).map(Decoder::header).toList();
    }

    private static AnswerRecord.AnswerHeader header(Header header) {
        // Kafka has made a string of the key: bytes that are not UTF-8 are U+FFFD by now.
        ByteBuffer key = StandardCharsets.UTF_8.encode(header.key());
        return new AnswerRecord.AnswerHeader(key, header.value() == null ? null : ByteBuffer.wrap(header.value()));
    }

    /** A read_committed consumer looks at the first record only, and throws for a key it cannot read. */
    private static void checkMarker(RecordBatch batch) {
        var records = batch.iterator();
        if (records.hasNext())
            ControlRecordType.parse(records.next().key());
    }
}

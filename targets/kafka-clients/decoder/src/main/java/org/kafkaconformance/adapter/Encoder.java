package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;

/**
 * Encodes an answer with Kafka's MemoryRecordsBuilder: one record batch, one wrapper, or a run of plain messages.
 *
 * <p>The base offset is the first record's, so a gap before it (a compacted batch) is not kept. What the builder
 * refuses comes out as its exception; what one batch or Kafka's API cannot say is a NotSupportedException.
 */
final class Encoder {
    private static final int SCRATCH = 1 << 16;

    private final ByteBuffer scratch = ByteBuffer.allocate(SCRATCH);

    /** The encoded bytes, valid until the next call; none for an answer without records. */
    ByteBuffer encode(byte magic, byte codec, List<AnswerRecord> records) {
        if (records.isEmpty())
            return ByteBuffer.allocate(0);
        checkOneBatch(records);
        try (MemoryRecordsBuilder builder = builder(magic, codec, records.get(0))) {
            for (AnswerRecord record : records)
                append(builder, record);
            return builder.build().buffer();
        }
    }

    private static void checkOneBatch(List<AnswerRecord> records) {
        AnswerRecord first = records.get(0);
        for (AnswerRecord record : records) {
            if (!record.sharesBatchWith(first))
                throw new NotSupportedException("the records do not fit one batch: timestamp type, producer or flags "
                        + "differ at offset " + record.offset());
            if (first.timestampType() == TimestampType.LOG_APPEND_TIME.id && record.timestamp() != first.timestamp())
                throw new NotSupportedException("one batch has one log append time; it differs at offset "
                        + record.offset());
            if (record.sequence() != expectedSequence(first, record))
                throw new NotSupportedException("one batch numbers its records by offset; sequence "
                        + record.sequence() + " does not follow at offset " + record.offset());
        }
    }

    private static int expectedSequence(AnswerRecord first, AnswerRecord record) {
        if (first.sequence() == RecordBatch.NO_SEQUENCE)
            return RecordBatch.NO_SEQUENCE;
        return DefaultRecordBatch.incrementSequence(first.sequence(), (int) (record.offset() - first.offset()));
    }

    private MemoryRecordsBuilder builder(byte magic, byte codec, AnswerRecord first) {
        scratch.clear();
        return MemoryRecords.builder(scratch, magic, Compression.of(CompressionType.forId(codec)).build(),
                timestampType(first.timestampType()), first.offset(), first.timestamp(), first.producerId(),
                first.producerEpoch(), first.sequence(), first.transactional(), first.control(),
                RecordBatch.NO_PARTITION_LEADER_EPOCH);
    }

    private static TimestampType timestampType(int id) {
        for (TimestampType type : TimestampType.values()) {
            if (type.id == id)
                return type;
        }
        throw new NotSupportedException("there is no timestamp type " + id);
    }

    private static void append(MemoryRecordsBuilder builder, AnswerRecord record) {
        SimpleRecord simple = new SimpleRecord(record.timestamp(), record.key(), record.value(), headers(record));
        if (record.control())
            builder.appendControlRecordWithOffset(record.offset(), simple);
        else
            builder.appendWithOffset(record.offset(), simple);
    }

    private static Header[] headers(AnswerRecord record) {
        return record.headers().stream().map(header -> header(header.key(), header.value())).toArray(Header[]::new);
    }

    private static Header header(ByteBuffer key, ByteBuffer value) {
        if (key == null)
            throw new NotSupportedException("a header key is null; Kafka's API takes none such");
        String name = StandardCharsets.UTF_8.decode(key.duplicate()).toString();
        if (!StandardCharsets.UTF_8.encode(name).equals(key))
            throw new NotSupportedException("a header key is not UTF-8; Kafka's API takes a string");
        return new RecordHeader(name, value == null ? null : array(value));
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }
}

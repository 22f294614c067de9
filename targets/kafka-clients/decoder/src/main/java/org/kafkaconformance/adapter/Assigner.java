package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;

/**
 * Assigns offsets as a broker does to what a producer sent, with LogValidator. What the broker's log does before that
 * is done here too: the last entry is left out if it is cut off, and the checksum of every entry is looked at.
 */
final class Assigner {
    private static final byte PRODUCER = -1;
    private static final TopicPartition PARTITION = new TopicPartition("topic", 0);

    private final BufferSupplier buffers = BufferSupplier.create();

    /** Reads one input of the request and writes what is appended. */
    void assign(ByteBuffer request, Reply reply) {
        long firstOffset = request.getLong();
        byte magic = request.get();
        byte codec = request.get();
        TimestampType type = request.get() == 0 ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
        long now = request.getLong();
        int leaderEpoch = request.getInt();
        MemoryRecords records = whole(Answers.bytes(request));
        CompressionType source = sourceCodec(records);
        CompressionType target = codec == PRODUCER ? source : CompressionType.forId(codec);
        // No limits to timestamps, no compacted topic, and a client at the other end.
        LogValidator validator = Making.make(LogValidator.class, records, PARTITION, clock(now), source,
                Compression.of(target).build(), false, magic, type, Long.MAX_VALUE, Long.MAX_VALUE, leaderEpoch,
                AppendOrigin.CLIENT, metadataVersion());
        PrimitiveRef.LongRef offset = PrimitiveRef.ofLong(firstOffset);
        var metrics = Making.stand(LogValidator.MetricsRecorder.class, (proxy, method, arguments) -> null);
        Object result = validator.validateMessagesAndAssignOffsets(offset, metrics, buffers);
        write(result, offset.value - 1, reply);
    }

    private static void write(Object result, long lastOffset, Reply reply) {
        boolean rewritten = Making.value(result, "messageSizeMaybeChanged");
        MemoryRecords validated = Making.value(result, "validatedRecords");
        reply.putLong(lastOffset);
        reply.putLong(Making.value(result, "maxTimestampMs"));
        reply.putByte(rewritten ? 0 : 1);
        reply.putBytes(validated.buffer());
    }

    /** The whole entries, in bytes of their own, because they are written to. */
    private static MemoryRecords whole(ByteBuffer entries) {
        int size = MemoryRecords.readableRecords(entries.duplicate()).validBytes();
        ByteBuffer copy = ByteBuffer.allocate(size).put(entries.slice(entries.position(), size)).flip();
        MemoryRecords records = MemoryRecords.readableRecords(copy);
        for (RecordBatch batch : records.batches())
            batch.ensureValid();
        return records;
    }

    /** The codec of the last compressed entry, which counts as that of all (UnifiedLog.analyzeAndValidateRecords). */
    private static CompressionType sourceCodec(MemoryRecords records) {
        CompressionType source = CompressionType.NONE;
        for (RecordBatch batch : records.batches()) {
            if (batch.compressionType() != CompressionType.NONE)
                source = batch.compressionType();
        }
        return source;
    }

    private static Time clock(long now) {
        return Making.stand(Time.class, (proxy, method, arguments) -> now);
    }

    /** 3.9 asks whether the brokers around know zstd; 4.0 does not ask any more. */
    private static MetadataVersion metadataVersion() {
        MetadataVersion[] all = MetadataVersion.values();
        return all[all.length - 1];
    }
}

package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads the answer: int32 count and that many records, every field of them. */
final class Answers {
    private static final int TRANSACTIONAL = 1;
    private static final int CONTROL = 2;

    private Answers() {
    }

    /** Writes one record. */
    static void write(AnswerRecord record, Reply reply) {
        reply.putLong(record.offset());
        reply.putLong(record.timestamp());
        reply.putByte(record.timestampType());
        reply.putBytes(record.key());
        reply.putBytes(record.value());
        reply.putInt(record.headers().size());
        for (AnswerRecord.AnswerHeader header : record.headers()) {
            reply.putBytes(header.key());
            reply.putBytes(header.value());
        }
        reply.putLong(record.producerId());
        reply.putShort(record.producerEpoch());
        reply.putInt(record.sequence());
        reply.putByte((record.transactional() ? TRANSACTIONAL : 0) | (record.control() ? CONTROL : 0));
        reply.putByte(record.codec());
    }

    /** Reads the answer that fills the buffer; throws ProtocolException or BufferUnderflowException if it does not. */
    static List<AnswerRecord> read(ByteBuffer answer) {
        int count = count(answer, "records");
        List<AnswerRecord> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
            records.add(readRecord(answer));
        if (answer.hasRemaining())
            throw new ProtocolException("an answer has " + answer.remaining() + " bytes after its last record");
        return records;
    }

    private static AnswerRecord readRecord(ByteBuffer answer) {
        long offset = answer.getLong();
        long timestamp = answer.getLong();
        byte timestampType = answer.get();
        ByteBuffer key = bytes(answer);
        ByteBuffer value = bytes(answer);
        List<AnswerRecord.AnswerHeader> headers = readHeaders(answer);
        long producerId = answer.getLong();
        short producerEpoch = answer.getShort();
        int sequence = answer.getInt();
        int flags = answer.get();
        return new AnswerRecord(offset, timestamp, timestampType, key, value, headers, producerId, producerEpoch,
                sequence, (flags & TRANSACTIONAL) != 0, (flags & CONTROL) != 0, answer.get());
    }

    private static List<AnswerRecord.AnswerHeader> readHeaders(ByteBuffer answer) {
        int count = count(answer, "headers");
        List<AnswerRecord.AnswerHeader> headers = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
            headers.add(new AnswerRecord.AnswerHeader(bytes(answer), bytes(answer)));
        return headers;
    }

    private static int count(ByteBuffer answer, String what) {
        int count = answer.getInt();
        if (count < 0 || count > answer.remaining())
            throw new ProtocolException(
                    "an answer counts " + count + " " + what + " in " + answer.remaining() + " bytes");
        return count;
    }

    /** An int32 length (-1 for null) and that many bytes, as a view. */
    static ByteBuffer bytes(ByteBuffer source) {
        int length = source.getInt();
        if (length == -1)
            return null;
        if (length < 0 || length > source.remaining())
            throw new ProtocolException("a length is " + length + " with " + source.remaining() + " bytes left");
        ByteBuffer view = source.slice(source.position(), length);
        source.position(source.position() + length);
        return view;
    }
}

package org.kafkaconformance.adapter;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.record.CompressionType;

/** Answers hello, decodes blocks, and reads requests and responses. What it can read, the decoder of this generation and Kafka's codecs say. */
final class LegacySession {
    private static final int OK = 0;
    private static final int REFUSED = 1;
    private static final int NOT_SUPPORTED = 2;
    private static final int RECORDS = 0;

    private static final String HELLO = """
            {"protocol": 1, "name": "kafka-clients", "version": "%s", "language": "Java", "formats": %s, "codecs": %s, \
            "fields": %s, "checks_crc": true, "directions": ["decode"], "apis": {"form": "bytes"}, \
            "url": "https://github.com/apache/kafka"}""";

    private final Frames frames;
    private final String release;
    private final Reply reply = new Reply();
    private final LegacyDecoder decoder = new LegacyDecoder();

    LegacySession(Frames frames, String release) {
        this.frames = frames;
        this.release = release;
    }

    /** Serves until the end of input; throws ProtocolException for a request that cannot be one. */
    void serve() throws IOException {
        for (ByteBuffer request = frames.next(); request != null; request = frames.next()) {
            try {
                answer(request);
            } catch (BufferUnderflowException error) {
                throw new ProtocolException("a frame ends before its last field");
            }
            frames.send(reply);
        }
    }

    private void answer(ByteBuffer request) {
        byte kind = request.get();
        switch (kind) {
            case 'H' -> hello();
            case 'D' -> decodeBlock(request);
            case 'M' -> readBlock(request);
            default -> throw new ProtocolException("a frame is of unknown kind " + kind + "; known are H, D and M");
        }
    }

    private void hello() {
        reply.start('H');
        List<String> codecs = Arrays.stream(CompressionType.values()).map(codec -> codec.name).toList();
        String document =
                String.format(HELLO, release, json(LegacyDecoder.FORMATS), json(codecs), json(LegacyDecoder.FIELDS));
        reply.putRaw(StandardCharsets.UTF_8.encode(document));
    }

    private static String json(List<String> names) {
        return names.stream().collect(Collectors.joining("\", \"", "[\"", "\"]"));
    }

    private void decodeBlock(ByteBuffer request) {
        reply.start('D');
        reply.putInt(request.getInt());
        byte inputKind = request.get();
        int count = request.getInt();
        reply.putInt(count);
        for (int i = 0; i < count; i++) {
            ByteBuffer input = Answers.bytes(request);
            if (input == null)
                throw new ProtocolException("an input is null; it must be bytes");
            decode(inputKind, input);
        }
    }

    // Every Throwable is a refusal, errors of the virtual machine included: a batch that exhausts the heap or the
    // stack must not end the run, and its text names the class.
    private void decode(byte inputKind, ByteBuffer input) {
        int start = reply.position();
        if (inputKind != RECORDS) {
            result(start, NOT_SUPPORTED, "input kind " + inputKind + " is not supported: these classes read v0 to v2");
            return;
        }
        Records records = new Records(reply);
        try {
            reply.putByte(OK);
            int length = reply.reserveInt();
            int count = reply.reserveInt();
            decoder.decode(input, records);
            reply.setInt(count, records.count());
            reply.setLength(length);
        } catch (NotSupportedException limit) {
            result(start, NOT_SUPPORTED, limit.getMessage());
        } catch (Throwable refusal) {
            result(start, REFUSED, Refusal.text(refusal, records.count()));
        }
    }

    private void readBlock(ByteBuffer request) {
        reply.start('M');
        reply.putInt(request.getInt());
        int count = request.getInt();
        reply.putInt(count);
        for (int i = 0; i < count; i++)
            read(Inputs.next('M', request));
    }

    private void read(ByteBuffer input) {
        int start = reply.position();
        try {
            reply.putByte(OK);
            int length = reply.reserveInt();
            Messages.rewrite(input, reply);
            reply.setLength(length);
        } catch (NotSupportedException limit) {
            result(start, NOT_SUPPORTED, limit.getMessage());
        } catch (Throwable refusal) {
            result(start, REFUSED, Refusal.text(refusal, 0));
        }
    }

    private void result(int start, int status, String text) {
        reply.rewind(start);
        reply.putByte(status);
        reply.putBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes the records of one input as the decoder reads them. */
    static final class Records {
        private final Reply reply;
        private int count;

        private Records(Reply reply) {
            this.reply = reply;
        }

        int count() {
            return count;
        }

        void add(AnswerRecord record) {
            Answers.write(record, reply);
            reply.checkSize();
            count++;
        }

        /** Adds a v0 or v1 message; what a message of this format has not is none. */
        void add(long offset, long timestamp, int timestampType, ByteBuffer key, ByteBuffer value) {
            add(new AnswerRecord(offset, timestamp, (byte) timestampType, key, value, List.of(), -1, (short) -1, -1, false,
                    false, (byte) 0));
        }
    }
}

package org.kafkaconformance.adapter;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;

/** Answers request after request: hello, and blocks to decode, encode, assign offsets to, convert, deliver, or read. */
final class Session {
    private static final int OK = 0;
    private static final int REFUSED = 1;
    private static final int NOT_SUPPORTED = 2;
    private static final int PARTIAL = 3;
    private static final int RECORDS = 0;
    /** What a message is that is a record of one of Kafka's own topics. */
    private static final int RECORD = 2;

    private static final String HELLO = """
            {"protocol": 1, "name": "kafka-clients", "version": "%s", "language": "Java", \
            "formats": ["v0", "v1", "v2"], "codecs": ["none", "gzip", "snappy", "lz4", "zstd"], \
            "fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers", "producer_id", \
            "producer_epoch", "sequence", "transactional", "control", "codec"], \
            "checks_crc": true, "directions": ["decode", "encode"], "requests": [%s], "partial": true, \
            "apis": {"form": "bytes", "records": [%s], "fallback": true}, \
            "url": "https://github.com/apache/kafka"}""";

    private final Frames frames;
    private final Reply reply = new Reply();
    private final Decoder decoder = new Decoder();
    private final Encoder encoder = new Encoder();
    private final Assigner assigner = new Assigner();
    private final Deliverer deliverer = new Deliverer();
    /** Whether the runner understands records before an error. */
    private boolean partial;

    Session(Frames frames) {
        this.frames = frames;
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
            case 'H' -> hello(request);
            case 'D' -> decodeBlock(request);
            case 'E' -> encodeBlock(request);
            case 'A' -> block('A', request, input -> assigner.assign(input, reply));
            case 'C' -> block('C', request, input -> Converter.convert(input, reply));
            case 'L' -> block('L', request, input -> deliverer.deliver(input, reply));
            case 'M' -> block('M', request, input -> message(input));
            default -> throw new ProtocolException(
                    "a frame is of unknown kind " + kind + "; known are H, D, E, A, C, L and M");
        }
    }

    private void hello(ByteBuffer request) {
        partial = StandardCharsets.UTF_8.decode(request).toString().replace(" ", "").contains("\"partial\":true");
        reply.start('H');
        String requests = Converter.isThere() ? "\"assign\", \"convert\", \"deliver\"" : "\"assign\", \"deliver\"";
        String document = String.format(HELLO, AppInfoParser.getVersion(), requests, topics());
        reply.putRaw(StandardCharsets.UTF_8.encode(document));
    }

    private static String topics() {
        return SchemaRecords.topics().stream().map(topic -> '"' + topic + '"').collect(Collectors.joining(", "));
    }

    private void message(ByteBuffer input) {
        if (input.get(input.position()) == RECORD)
            SchemaRecords.rewrite(input, reply);
        else
            Messages.rewrite(input, reply);
    }

    private void decodeBlock(ByteBuffer request) {
        reply.start('D');
        reply.putInt(request.getInt());
        byte inputKind = request.get();
        int count = request.getInt();
        reply.putInt(count);
        for (int i = 0; i < count; i++)
            decode(inputKind, content(request));
    }

    private void encodeBlock(ByteBuffer request) {
        reply.start('E');
        reply.putInt(request.getInt());
        int count = request.getInt();
        reply.putInt(count);
        for (int i = 0; i < count; i++) {
            byte magic = request.get();
            byte codec = request.get();
            encode(magic, codec, Answers.read(content(request)));
        }
    }

    /**
     * Answers a block of which each input is a few numbers and, last, bytes. The input is cut out before it is
     * answered, so that a refusal in the middle of it does not lose the place of the next.
     */
    private void block(char kind, ByteBuffer request, Consumer<ByteBuffer> answer) {
        reply.start(kind);
        reply.putInt(request.getInt());
        int count = request.getInt();
        reply.putInt(count);
        for (int i = 0; i < count; i++)
            answer(answer, Inputs.next(kind, request));
    }

    private void answer(Consumer<ByteBuffer> answer, ByteBuffer input) {
        int start = reply.position();
        try {
            int length = succeed();
            answer.accept(input);
            reply.setLength(length);
        } catch (NotSupportedException limit) {
            result(start, NOT_SUPPORTED, limit.getMessage());
        } catch (Throwable refusal) {
            result(start, REFUSED, Refusal.text(refusal, 0));
        }
    }

    private static ByteBuffer content(ByteBuffer request) {
        ByteBuffer content = Answers.bytes(request);
        if (content == null)
            throw new ProtocolException("an input is null; it must be bytes");
        return content;
    }

    // Every Throwable is a refusal, errors of the virtual machine included: a batch that exhausts the heap or the
    // stack must not end the run, and its text names the class.
    private void decode(byte inputKind, ByteBuffer input) {
        int start = reply.position();
        if (inputKind != RECORDS) {
            String text = "input kind " + inputKind + " is not supported: Kafka's classes read v0 to v2";
            result(start, NOT_SUPPORTED, text);
            return;
        }
        try {
            int length = succeed();
            decoder.decode(input, reply);
            reply.setLength(length);
        } catch (NotSupportedException limit) {
            result(start, NOT_SUPPORTED, limit.getMessage());
        } catch (Throwable refusal) {
            String text = Refusal.text(refusal, decoder.recordsRead());
            if (partial && decoder.recordsRead() > 0)
                partial(start, text);
            else
                result(start, REFUSED, text);
        }
    }

    private void encode(byte magic, byte codec, List<AnswerRecord> records) {
        int start = reply.position();
        try {
            int length = succeed();
            reply.putRaw(encoder.encode(magic, codec, records));
            reply.setLength(length);
        } catch (NotSupportedException limit) {
            result(start, NOT_SUPPORTED, limit.getMessage());
        } catch (Throwable refusal) {
            result(start, REFUSED, Refusal.text(refusal, 0));
        }
    }

    /** Makes a partial answer of one that ends after its last whole record. */
    private void partial(int start, String text) {
        int length = start + Byte.BYTES;
        reply.rewind(decoder.end());
        reply.setByte(start, PARTIAL);
        reply.setInt(length + Integer.BYTES, decoder.recordsRead());
        reply.putRaw(StandardCharsets.UTF_8.encode(text));
        reply.setLength(length);
    }

    private int succeed() {
        reply.putByte(OK);
        return reply.reserveInt();
    }

    private void result(int start, int status, String text) {
        reply.rewind(start);
        reply.putByte(status);
        reply.putBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}

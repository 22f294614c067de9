package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.internals.OneFetch;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;

/** Delivers as Kafka's consumer does: one fetch response in, the application's records and the next position out. */
final class Deliverer {
    private static final int WHOLE = 0;
    private static final int TOO_SMALL = 1;
    private static final int STOPPED = 2;

    private final OneFetch consumer = new OneFetch();

    /** Reads one input of the request and writes the delivery. */
    void deliver(ByteBuffer request, Reply reply) {
        long fetchOffset = request.getLong();
        IsolationLevel isolation = IsolationLevel.forId(request.get());
        List<AbortedTransaction> aborted = aborted(request);
        OneFetch.Result result = consumer.deliver(Answers.bytes(request), fetchOffset, isolation, aborted);
        reply.putLong(result.position());
        reply.putByte(result.error() == null ? WHOLE : result.tooSmall() ? TOO_SMALL : STOPPED);
        reply.putBytes(result.error() == null ? null
                : Refusal.text(result.error(), 0).getBytes(StandardCharsets.UTF_8));
        reply.putInt(result.records().size());
        for (ConsumerRecord<byte[], byte[]> record : result.records()) {
            Answers.write(answer(record), reply);
            reply.checkSize();
        }
    }

    private static List<AbortedTransaction> aborted(ByteBuffer request) {
        int count = request.getInt();
        List<AbortedTransaction> aborted = new ArrayList<>();
        for (int i = 0; i < count; i++)
            aborted.add(new AbortedTransaction().setProducerId(request.getLong()).setFirstOffset(request.getLong()));
        return aborted;
    }

    /** What an application sees of a record; the fields that it does not see are those of a record without them. */
    private static AnswerRecord answer(ConsumerRecord<byte[], byte[]> record) {
        List<AnswerRecord.AnswerHeader> headers = new ArrayList<>();
        for (Header header : record.headers())
            headers.add(new AnswerRecord.AnswerHeader(StandardCharsets.UTF_8.encode(header.key()),
                    buffer(header.value())));
        return new AnswerRecord(record.offset(), record.timestamp(), (byte) record.timestampType().id,
                buffer(record.key()), buffer(record.value()), headers, -1, (short) -1, -1, false, false, (byte) 0);
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }
}

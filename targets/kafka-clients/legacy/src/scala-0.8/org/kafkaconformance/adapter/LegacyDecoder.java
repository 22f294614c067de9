package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.util.List;
import kafka.message.ByteBufferMessageSet;
import kafka.message.MessageAndOffset;
import scala.collection.Iterator;

/** 0.8.2, the Scala classes: as kafka.consumer.ConsumerIterator reads, which checks the messages that it returns. */
final class LegacyDecoder {
    static final List<String> FORMATS = List.of("v0");
    static final List<String> FIELDS = List.of("offset", "key", "value");

    /** Adds the records of a run of entries; throws what Kafka throws. */
    void decode(ByteBuffer entries, LegacySession.Records records) {
        // The set reads its buffer from byte 0 on, wherever the buffer starts.
        Iterator<MessageAndOffset> found = new ByteBufferMessageSet(entries.slice()).iterator();
        while (found.hasNext()) {
            MessageAndOffset one = found.next();
            one.message().ensureValid();
            records.add(one.offset(), 0, 0, one.message().key(), one.message().payload());
        }
    }
}

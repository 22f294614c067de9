package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One record of an answer, read from the runner or decoded by Kafka. A null buffer is a null key or value; the buffers
 * are views of the request frame, or of what was decompressed from it, and live as long as it does.
 */
record AnswerRecord(
        long offset,
        long timestamp,
        byte timestampType,
        ByteBuffer key,
        ByteBuffer value,
        List<AnswerHeader> headers,
        long producerId,
        short producerEpoch,
        int sequence,
        boolean transactional,
        boolean control,
        byte codec) {

    /** A header of an answer. The key is bytes here; Kafka's API wants a string. */
    record AnswerHeader(ByteBuffer key, ByteBuffer value) {
    }

    /** Whether one batch can hold both: these fields are in its header, once for all its records. */
    boolean sharesBatchWith(AnswerRecord other) {
        return timestampType == other.timestampType
                && producerId == other.producerId
                && producerEpoch == other.producerEpoch
                && transactional == other.transactional
                && control == other.control;
    }
}

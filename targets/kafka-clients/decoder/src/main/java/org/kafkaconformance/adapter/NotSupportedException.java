package org.kafkaconformance.adapter;

/** What this adapter cannot ask of Kafka's API (status 2), as opposed to what Kafka refuses (status 1). */
final class NotSupportedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSupportedException(String message) {
        super(message);
    }
}

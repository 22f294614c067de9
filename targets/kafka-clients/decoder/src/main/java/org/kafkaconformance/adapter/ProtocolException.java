package org.kafkaconformance.adapter;

/** A request that adapter protocol 1 does not allow: the runner's fault, so the adapter says so and ends. */
final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}

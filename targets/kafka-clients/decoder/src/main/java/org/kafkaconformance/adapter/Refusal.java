package org.kafkaconformance.adapter;

/** The text of a refusal: what Kafka threw, why, and how far it had come. */
final class Refusal {
    private Refusal() {
    }

    /** "Class: message (caused by Class: message) after N records". */
    static String text(Throwable error, int recordsRead) {
        StringBuilder text = new StringBuilder(describe(error));
        if (error.getCause() != null)
            text.append(" (caused by ").append(describe(error.getCause())).append(')');
        if (recordsRead > 0)
            text.append(" after ").append(recordsRead).append(recordsRead == 1 ? " record" : " records");
        return text.toString();
    }

    private static String describe(Throwable error) {
        String name = error.getClass().getSimpleName();
        return error.getMessage() == null ? name : name + ": " + error.getMessage();
    }
}

package org.kafkaconformance.adapter;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * The record classes of an old release of Apache Kafka behind adapter protocol 1, decoding only.
 *
 * <p>The one argument is the release. Exit status: 0 at the end of input, 2 when the input is not the protocol.
 */
public final class LegacyMain {
    private LegacyMain() {
    }

    /** Serves until the end of input. */
    public static void main(String[] args) {
        // Standard output carries frames only: whatever a library prints goes to the log.
        System.setOut(System.err);
        Frames frames = new Frames(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        try {
            new LegacySession(frames, args[0]).serve();
        } catch (ProtocolException | IOException error) {
            System.err.println("kafka-clients-legacy adapter: " + error.getMessage());
            System.exit(2);
        }
    }
}

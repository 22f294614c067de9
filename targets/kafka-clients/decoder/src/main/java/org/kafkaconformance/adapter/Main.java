package org.kafkaconformance.adapter;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * Apache Kafka's own Java classes behind adapter protocol 1: requests on standard input, replies on standard output.
 *
 * <p>Exit status: 0 at the end of input, 2 when the input is not the protocol.
 */
public final class Main {
    private Main() {
    }

    /** Serves until the end of input. Takes no arguments. */
    public static void main(String[] args) {
        // Standard output carries frames only: whatever a library prints goes to the log.
        System.setOut(System.err);
        Frames frames = new Frames(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        try {
            new Session(frames).serve();
        } catch (ProtocolException | IOException error) {
            System.err.println("kafka-clients adapter: " + error.getMessage());
            System.exit(2);
        }
    }
}

package org.kafkaconformance.adapter;

import java.nio.ByteBuffer;

/** The inputs of assign, convert, deliver and message requests: where each of them ends. */
final class Inputs {
    private static final int ASSIGN = 8 + 1 + 1 + 1 + 8 + 4;
    private static final int CONVERT = 1 + 8;
    private static final int MESSAGE = 1 + 2 + 2;
    private static final int DELIVER = 8 + 1;
    private static final int ABORTED_TRANSACTION = 8 + 8;

    private Inputs() {
    }

    /** Cuts the next input out of the request; throws ProtocolException if it does not fit. */
    static ByteBuffer next(char kind, ByteBuffer request) {
        int start = request.position();
        switch (kind) {
            case 'A' -> skip(request, ASSIGN);
            case 'C' -> skip(request, CONVERT);
            case 'M' -> skip(request, MESSAGE);
            default -> {
                skip(request, DELIVER);
                skip(request, (long) request.getInt() * ABORTED_TRANSACTION);
            }
        }
        if (Answers.bytes(request) == null)
            throw new ProtocolException("an input is null; it must be bytes");
        return request.slice(start, request.position() - start);
    }

    private static void skip(ByteBuffer request, long size) {
        if (size < 0 || size > request.remaining())
            throw new ProtocolException("an input takes " + size + " bytes with " + request.remaining() + " left");
        request.position(request.position() + (int) size);
    }
}

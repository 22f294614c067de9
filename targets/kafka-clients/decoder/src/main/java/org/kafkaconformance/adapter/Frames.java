package org.kafkaconformance.adapter;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** The frames of the protocol: an int32 length and that many bytes. One buffer is used again for every request. */
final class Frames {
    /** The longest frame that either side believes; text read as a length is far above it. */
    static final int MAX = 256 << 20;
    private static final int BUFFER = 1 << 16;
    /** A buffer larger than this is let go after its frame, so that one huge request does not cost memory for ever. */
    static final int KEEP = 1 << 26;

    private final DataInputStream requests;
    private final OutputStream replies;
    private byte[] frame = new byte[BUFFER];

    Frames(InputStream requests, OutputStream replies) {
        this.requests = new DataInputStream(new BufferedInputStream(requests, BUFFER));
        this.replies = replies;
    }

    /** The next request, valid until the next call; null at the end of input. */
    ByteBuffer next() throws IOException {
        int first = requests.read();
        if (first < 0)
            return null;
        try {
            int length = first << 24 | requests.readUnsignedByte() << 16 | requests.readUnsignedShort();
            if (length < 1 || length > MAX)
                throw new ProtocolException("a frame has length " + length + "; 1 to " + MAX + " bytes are allowed");
            if (frame.length > KEEP || frame.length < length)
                frame = new byte[Math.max(length, BUFFER)];
            requests.readFully(frame, 0, length);
            return ByteBuffer.wrap(frame, 0, length);
        } catch (EOFException error) {
            throw new ProtocolException("the input ended inside a frame");
        }
    }

    /** Writes a reply as one frame. */
    void send(Reply reply) throws IOException {
        reply.writeTo(replies);
        replies.flush();
    }
}

package org.kafkaconformance.adapter;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A growing buffer for one reply frame, used again for every reply. Lengths and counts are filled in afterwards. */
final class Reply {
    private static final int INITIAL = 1 << 16;
    /** Answers may take this much of a frame, so that the texts of later refusals still fit. */
    private static final int ANSWERS = Frames.MAX - (16 << 20);

    private ByteBuffer buffer = ByteBuffer.allocate(INITIAL);

    /** Forgets the last reply and starts one of this kind. */
    void start(char kind) {
        if (buffer.capacity() > Frames.KEEP)
            buffer = ByteBuffer.allocate(INITIAL);
        buffer.clear();
        reserveInt();
        putByte(kind);
    }

    /** The place of the next byte. */
    int position() {
        return buffer.position();
    }

    /** Throws NotSupportedException when the answers no longer fit one frame. */
    void checkSize() {
        if (buffer.position() > ANSWERS)
            throw new NotSupportedException("the answers of one block take more than " + ANSWERS + " bytes");
    }

    /** Takes back everything from this place on. */
    void rewind(int position) {
        buffer.position(position);
    }

    /** Leaves room for an int32 and says where. */
    int reserveInt() {
        int at = buffer.position();
        putInt(0);
        return at;
    }

    /** Writes an int32 that was reserved. */
    void setInt(int at, int value) {
        buffer.putInt(at, value);
    }

    /** Writes a byte over another. */
    void setByte(int at, int value) {
        buffer.put(at, (byte) value);
    }

    /** Writes the number of bytes that follow a reserved int32 into it. */
    void setLength(int at) {
        buffer.putInt(at, buffer.position() - at - Integer.BYTES);
    }

    void putByte(int value) {
        room(Byte.BYTES).put((byte) value);
    }

    void putShort(short value) {
        room(Short.BYTES).putShort(value);
    }

    void putInt(int value) {
        room(Integer.BYTES).putInt(value);
    }

    void putLong(long value) {
        room(Long.BYTES).putLong(value);
    }

    /** Writes bytes without a length; leaves the position of the source alone. */
    void putRaw(ByteBuffer bytes) {
        room(bytes.remaining()).put(bytes.duplicate());
    }

    /** Writes an int32 length (-1 for null) and the bytes. */
    void putBytes(ByteBuffer bytes) {
        putInt(bytes == null ? -1 : bytes.remaining());
        if (bytes != null)
            putRaw(bytes);
    }

    /** Writes an int32 length (-1 for null) and the bytes. */
    void putBytes(byte[] bytes) {
        putInt(bytes == null ? -1 : bytes.length);
        if (bytes != null)
            room(bytes.length).put(bytes);
    }

    /** Fills in the length of the frame and writes it out. */
    void writeTo(OutputStream out) throws IOException {
        setLength(0);
        out.write(buffer.array(), 0, buffer.position());
    }

    private ByteBuffer room(int size) {
        if (buffer.remaining() < size) {
            int needed = Math.addExact(buffer.position(), size);
            int doubled = (int) Math.min(2L * buffer.capacity(), Integer.MAX_VALUE - 8);
            buffer = ByteBuffer.allocate(Math.max(needed, doubled)).put(buffer.flip());
        }
        return buffer;
    }
}

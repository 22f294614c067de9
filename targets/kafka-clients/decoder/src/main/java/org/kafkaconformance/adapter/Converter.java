package org.kafkaconformance.adapter;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;

/** Converts down as brokers did for old clients, with MemoryRecords.downConvert, which 4.0 took away. */
final class Converter {
    private static final Method DOWN_CONVERT = find();

    private Converter() {
    }

    /** Whether this release can. */
    static boolean isThere() {
        return DOWN_CONVERT != null;
    }

    /** Reads one input of the request and writes the converted entries. */
    static void convert(ByteBuffer request, Reply reply) {
        byte magic = request.get();
        long firstOffset = request.getLong();
        MemoryRecords entries = MemoryRecords.readableRecords(Answers.bytes(request));
        if (DOWN_CONVERT == null)
            throw new NotSupportedException("this release does not convert: MemoryRecords.downConvert went with 4.0");
        try {
            Object converted = DOWN_CONVERT.invoke(entries, magic, firstOffset, Time.SYSTEM);
            MemoryRecords records = Making.value(converted, "records");
            reply.putRaw(records.buffer());
        } catch (InvocationTargetException error) {
            throw Making.unchecked(error.getCause());
        } catch (IllegalAccessException error) {
            throw new NotSupportedException(error.toString());
        }
    }

    private static Method find() {
        try {
            return MemoryRecords.class.getMethod("downConvert", byte.class, long.class, Time.class);
        } catch (NoSuchMethodException error) {
            return null;
        }
    }
}

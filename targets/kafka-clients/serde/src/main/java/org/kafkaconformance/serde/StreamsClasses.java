package org.kafkaconformance.serde;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Calls classes of Kafka Streams that are not public, by their names, which releases have changed in part. */
final class StreamsClasses {
    private static final String STREAMS = "org.apache.kafka.streams.";

    private StreamsClasses() {
    }

    /** Whether the release has a class. */
    static boolean has(String name) {
        try {
            Class.forName(STREAMS + name);
            return true;
        } catch (ClassNotFoundException error) {
            return false;
        }
    }

    /** Calls the static method of a class whose parameters take the arguments. */
    static Object call(String name, String method, Object... arguments) throws Exception {
        return invoke(Class.forName(STREAMS + name), null, method, arguments);
    }

    /** Calls the method of an object whose parameters take the arguments. */
    static Object on(Object object, String method, Object... arguments) throws Exception {
        return invoke(object.getClass(), object, method, arguments);
    }

    /** Makes an object of a class. */
    static Object make(String name, Object... arguments) throws Exception {
        for (Constructor<?> each : Class.forName(STREAMS + name).getDeclaredConstructors()) {
            if (fit(each.getParameterTypes(), arguments)) {
                each.setAccessible(true);
                return each.newInstance(arguments);
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** Reads the field of an object. */
    static Object field(Object object, String name) throws Exception {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }

    private static Object invoke(Class<?> of, Object object, String method, Object... arguments) throws Exception {
        for (Class<?> in = of; in != null; in = in.getSuperclass()) {
            for (Method each : in.getDeclaredMethods()) {
                if (each.getName().equals(method) && !each.isBridge() && fit(each.getParameterTypes(), arguments)) {
                    each.setAccessible(true);
                    try {
                        return each.invoke(object, arguments);
                    } catch (InvocationTargetException error) {
                        throw error.getCause() instanceof Exception cause ? cause : error;
                    }
                }
            }
        }
        throw new NoSuchMethodException(of + " " + method + Arrays.toString(arguments));
    }

    private static boolean fit(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length)
            return false;
        for (int i = 0; i < types.length; i++) {
            Class<?> type = types[i] == long.class ? Long.class : types[i] == boolean.class ? Boolean.class : types[i];
            if (arguments[i] != null && !type.isInstance(arguments[i]))
                return false;
        }
        return true;
    }
}

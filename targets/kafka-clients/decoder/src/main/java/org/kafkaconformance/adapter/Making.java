package org.kafkaconformance.adapter;

import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/** Makes objects of Kafka's inner classes, whose constructors differ between releases. */
public final class Making {
    private Making() {
    }

    /**
     * Calls the constructor whose parameters the first arguments fit; arguments that it has no parameter for are for
     * other releases. Of several, the longest is taken.
     */
    @SuppressWarnings("unchecked")
    public static <T> T make(Class<?> type, Object... arguments) {
        Constructor<?> longest = null;
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            boolean longer = longest == null || constructor.getParameterCount() > longest.getParameterCount();
            if (longer && fits(constructor, arguments))
                longest = constructor;
        }
        if (longest == null)
            throw new NotSupportedException("this release has no fitting constructor of " + type.getName());
        try {
            longest.setAccessible(true);
            return (T) longest.newInstance(Arrays.copyOf(arguments, longest.getParameterCount()));
        } catch (InvocationTargetException error) {
            throw unchecked(error.getCause());
        } catch (ReflectiveOperationException error) {
            throw new NotSupportedException("cannot make " + type.getName() + ": " + error);
        }
    }

    /** The constant of an enum, or of a class that took the place of one. */
    public static Object constant(Class<?> type, String name) {
        try {
            return type.getField(name).get(null);
        } catch (ReflectiveOperationException error) {
            throw new NotSupportedException("this release has no " + type.getName() + "." + name);
        }
    }

    /** The value of a field, which may have become a component of a record since. */
    @SuppressWarnings("unchecked")
    static <T> T value(Object holder, String name) {
        try {
            Field field = holder.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return (T) field.get(holder);
        } catch (ReflectiveOperationException error) {
            throw new NotSupportedException("this release has no " + holder.getClass().getName() + "." + name);
        }
    }

    /** An interface all of whose methods go to one handler. */
    @SuppressWarnings("unchecked")
    static <T> T stand(Class<T> type, InvocationHandler handler) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    }

    /** The exception as what may be thrown anywhere; an error is thrown here and now. */
    static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error)
            throw error;
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }

    private static boolean fits(Constructor<?> constructor, Object[] arguments) {
        Class<?>[] parameters = MethodType.methodType(void.class, constructor.getParameterTypes()).wrap()
                .parameterArray();
        if (parameters.length > arguments.length)
            return false;
        for (int i = 0; i < parameters.length; i++) {
            if (arguments[i] != null && !parameters[i].isInstance(arguments[i]))
                return false;
        }
        return true;
    }
}

package org.kafkaconformance.consumer;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Kafka's own consumer, assigned to many topics. A topic of which poll throws is no longer assigned: poll would throw
 * again for ever, as its text says, until one seeks past the record. docs/broker.md describes what a driver says.
 */
public final class Main {
    private static final long POLL_MILLISECONDS = 100;
    private static final long MEMBER_CLOSE_MILLISECONDS = 3000;
    private static final Pattern PARTITION = Pattern.compile("\\b(t[0-9]+)-0\\b");

    private static final Map<String, String> NAMES = Map.of(
        "reset", "auto.offset.reset", "max_bytes", "max.partition.fetch.bytes", "timeout", "request.timeout.ms",
        "rack", "client.rack", "group", "group.id", "instance", "group.instance.id", "protocol", "group.protocol");

    /** A member of a group commits by itself, and often. */
    private static final Map<String, String> MEMBER = Map.of(
        "enable.auto.commit", "true", "auto.commit.interval.ms", "100", "heartbeat.interval.ms", "100",
        "session.timeout.ms", "10000", "retry.backoff.ms", "50");

    /** What a member is told by the broker, where that assigns the partitions. */
    private static final Set<String> OF_BROKER = Set.of("heartbeat.interval.ms", "session.timeout.ms");

    private static final String PLAIN_LOGIN =
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"reader\" password=\"any\";";

    private final List<String> lines = new ArrayList<>();
    private final Map<String, TopicPartition> assigned = new HashMap<>();
    private KafkaConsumer<byte[], byte[]> consumer;
    private Member member;
    private boolean isMember;
    private boolean isOver;

    private Main() {}

    /** Answers the suite until its end of input. */
    public static void main(String[] arguments) throws IOException {
        new Main().serve(new DataInputStream(System.in), new DataOutputStream(System.out));
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        while (true) {
            byte[] body;
            try {
                body = new byte[in.readInt()];
            } catch (EOFException end) {
                return;
            }
            in.readFully(body);
            lines.clear();
            answer((char) body[0], new String(body, 1, body.length - 1, StandardCharsets.UTF_8));
            byte[] said = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
            out.writeInt(1 + said.length);
            out.writeByte(body[0]);
            out.write(said);
            out.flush();
        }
    }

    private void answer(char kind, String text) {
        switch (kind) {
            case 'H' -> lines.add(hello());
            case 'A' -> assign(text.split("\n"));
            case 'P' -> poll();
            case 'C' -> commit();
            case 'S' -> member.shutDown();
            default -> close();
        }
    }

    private void close() {
        if (member != null) {
            member.close(MEMBER_CLOSE_MILLISECONDS);
        } else {
            Release.close(consumer, isMember ? MEMBER_CLOSE_MILLISECONDS : 0);
        }
    }

    private static String hello() {
        return "{\"protocol\": 1, \"name\": \"kafka-clients\", \"version\": \"" + version() + "\","
            + " \"language\": \"Java\", \"url\": \"https://github.com/apache/kafka\","
            + " \"formats\": " + list(Release.formats()) + ", \"codecs\": " + list(Release.codecs()) + ","
            + " \"isolations\": " + list(Release.isolations()) + ","
            + " \"fields\": [\"offset\", \"timestamp\", \"timestamp_type\", \"key\", \"value\", \"headers\"],"
            + " \"checks_crc\": true, \"directions\": [\"decode\"], \"requests\": [\"deliver\"], \"partial\": true"
            + (Release.readsBatches() ? ", \"settings\": " + list(settings()) + "}" : "}");
    }

    /**
     * The settings that this release has. Old ones only warn of what they do not know. Up to 1.1, a request's timeout has to
     * be longer than a session's, and nothing else bounds how long a call may take.
     */
    private static List<String> settings() {
        Set<String> known = ConsumerConfig.configNames();
        List<String> words = new ArrayList<>(NAMES.keySet().stream()
            .filter(name -> known.contains(NAMES.get(name)))
            .filter(name -> !name.equals("timeout") || known.contains("default.api.timeout.ms"))
            .map(name -> name.equals("protocol") ? "consumer-protocol" : name)
            .toList());
        if (Release.hasCooperative()) {
            words.add("assignor");
        }
        if (known.contains("sasl.jaas.config") && known.contains("default.api.timeout.ms")) {
            words.add("sasl"); // sessions that end came later than this setting, in 2.2
        }
        words.add("commit");
        words.add("callback");
        if (Release.hasRegex()) {
            words.add("regex");
        }
        if (Member.of("share") != null) {
            words.addAll(List.of("share-protocol", "acknowledge"));
        }
        if (Member.of("streams") != null) {
            words.addAll(List.of("streams-protocol", "endpoint"));
        }
        return words;
    }

    private static String list(Collection<String> names) {
        return "[\"" + String.join("\", \"", names) + "\"]";
    }

    /** Reads the release that its jar names; the class that tells it has moved between releases. */
    private static String version() {
        Properties told = new Properties();
        try (InputStream file = KafkaConsumer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            told.load(file);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        return told.getProperty("version");
    }

    private void assign(String[] rows) {
        String[] where = rows[0].split("\t");
        Map<String, Object> settings = new HashMap<>(Map.of(
            "bootstrap.servers", where[0],
            "isolation.level", where[1],
            "enable.auto.commit", "false",
            "auto.offset.reset", "none",
            "check.crcs", "true",
            "max.poll.records", "100000",
            "fetch.max.wait.ms", "100"));
        Map<String, String> asked = new HashMap<>();
        for (int word = 2; word < where.length; word++) {
            String[] setting = where[word].split("=", 2);
            asked.put(setting[0], setting[1]);
            if (!NAMES.containsKey(setting[0]) || setting[0].equals("timeout") && !settings().contains("timeout")) {
                continue; // every client is told how long to wait
            }
            settings.put(NAMES.get(setting[0]), setting[1]);
            if (setting[0].equals("timeout")) {
                settings.put("default.api.timeout.ms", setting[1]);
            } else if (setting[0].equals("group")) {
                settings.putAll(MEMBER);
            }
        }
        assigned.clear();
        isOver = false;
        isMember = settings.containsKey("group.id");
        List<String> names = Arrays.stream(rows).skip(1).map(row -> row.split("\t")[0]).toList();
        member = asked.containsKey("protocol") ? Member.of(asked.get("protocol")) : null;
        if (member != null) {
            member.join(lines, settings, asked, names);
            return;
        }
        if (asked.containsKey("protocol")) {
            settings.keySet().removeAll(OF_BROKER);
        }
        if (asked.containsKey("assignor")) {
            String name = asked.get("assignor").equals("range") ? "Range" : "CooperativeSticky";
            settings.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer." + name + "Assignor");
        }
        if (asked.containsKey("sasl")) {
            settings.put("security.protocol", "SASL_PLAINTEXT");
            settings.put("sasl.mechanism", asked.get("sasl"));
            settings.put("sasl.jaas.config", PLAIN_LOGIN);
        }
        if (asked.containsKey("commit")) {
            settings.put("enable.auto.commit", "false");
        }
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        if (isMember) {
            Callbacks callbacks = new Callbacks(lines, Long.parseLong(asked.getOrDefault("callback", "0")));
            Release.subscribe(consumer, names, asked.get("regex"), callbacks);
            return;
        }
        names.forEach(name -> assigned.put(name, new TopicPartition(name, 0)));
        consumer.assign(assigned.values());
        for (int row = 1; row < rows.length; row++) {
            String[] topic = rows[row].split("\t");
            consumer.seek(assigned.get(topic[0]), Long.parseLong(topic[1]));
        }
    }

    private void poll() {
        try {
            if (isOver) {
                Thread.sleep(POLL_MILLISECONDS);
            } else {
                take(POLL_MILLISECONDS);
            }
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        } catch (RuntimeException | Error thrown) { // snappy-java throws an Error
            isOver = isMember; // an application that lost its group ends
            String text = thrown.toString();
            for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
                text += "; " + cause;
            }
            Matcher named = PARTITION.matcher(text);
            TopicPartition topic = named.find() ? assigned.get(named.group(1)) : isMember ? null : culprit();
            lines.add("error\t" + (topic == null ? "?" : topic.topic()) + "\t" + text.replaceAll("\\s+", " "));
            if (topic != null) {
                assigned.remove(topic.topic());
                consumer.assign(assigned.values());
            }
        }
    }

    private void commit() {
        try {
            if (member != null) {
                member.commit();
                return;
            }
            consumer.commitSync();
            lines.add("committed");
        } catch (RuntimeException thrown) {
            lines.add("commit-failed\t" + thrown.getClass().getSimpleName());
        }
    }

    private void take(long milliseconds) {
        for (ConsumerRecord<byte[], byte[]> record : member != null
                ? member.poll(milliseconds) : Release.poll(consumer, milliseconds)) {
            lines.add(line(record));
        }
    }

    /**
     * Finds the topic of which poll throws without naming it: the one that must be paused for it not to. Null if it
     * throws whatever is paused, as it does of bytes that it cannot find a first batch in.
     */
    private TopicPartition culprit() {
        List<TopicPartition> suspects = new ArrayList<>(throwsOf(List.of()) ? List.of() : assigned.values());
        while (suspects.size() > 1) {
            List<TopicPartition> half = suspects.subList(0, suspects.size() / 2);
            suspects = new ArrayList<>(throwsOf(half) ? half : suspects.subList(half.size(), suspects.size()));
        }
        boolean found = !suspects.isEmpty() && throwsOf(suspects);
        consumer.resume(assigned.values());
        return found ? suspects.get(0) : null;
    }

    private boolean throwsOf(List<TopicPartition> some) {
        consumer.pause(assigned.values());
        consumer.resume(some);
        try {
            take(0);
            return false;
        } catch (RuntimeException | Error thrown) {
            return true;
        }
    }

    private static String line(ConsumerRecord<byte[], byte[]> record) {
        StringBuilder line = new StringBuilder("record\t" + record.topic() + "\t" + record.offset() + "\t"
            + record.timestamp() + "\t" + record.timestampType().id + "\t" + hex(record.key()) + "\t"
            + hex(record.value()));
        for (Map.Entry<String, byte[]> header : Release.headers(record)) {
            line.append('\t').append(hex(header.getKey().getBytes(StandardCharsets.UTF_8)));
            line.append('\t').append(hex(header.getValue()));
        }
        return line.toString();
    }

    private static String hex(byte[] content) {
        if (content == null) {
            return "-";
        }
        StringBuilder text = new StringBuilder();
        for (byte one : content) {
            text.append(Character.forDigit(one >> 4 & 15, 16)).append(Character.forDigit(one & 15, 16));
        }
        return text.toString();
    }
}

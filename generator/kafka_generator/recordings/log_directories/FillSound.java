import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes what compaction, compression and transactions need, with the client of any release: java FillSound.java ADDRESS ROUND END.
 *
 * What came after 0.8.2 is called by reflection: timestamps (0.10), idempotence and transactions (0.11).
 */
public class FillSound {
  static final long START = 1_700_000_000_000L;
  static final int KEYS = 12;

  public static void main(String[] arguments) throws Exception {
    String address = arguments[0];
    int first = Integer.parseInt(arguments[1]), end = Integer.parseInt(arguments[2]);
    List<Topic> topics = new ArrayList<>();
    for (int at = 3; at < arguments.length; at++) topics.add(new Topic(address, arguments[at], first));
    for (int round = first; round < end; round++) {
      List<Future<?>> sent = new ArrayList<>();
      for (Topic topic : topics) topic.send(round, sent);
      for (Future<?> each : sent) each.get();
      for (Topic topic : topics) topic.end(round);
    }
    System.out.println("written");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  /** A topic, given as name:codec[:transactional], with its producer. */
  static class Topic {
    final String name;
    final boolean transactional;
    final KafkaProducer<byte[], byte[]> producer;

    Topic(String address, String text, int first) throws Exception {
      String[] parts = text.split(":");
      name = parts[0];
      transactional = parts.length > 2;
      Properties settings = new Properties();
      settings.put("bootstrap.servers", address);
      settings.put("compression.type", parts[1]);
      settings.put("linger.ms", "30");
      settings.put("acks", "all");
      settings.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
      settings.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
      if (transactional) settings.put("transactional.id", name);
      else if (parts[1].equals("none")) settings.put("enable.idempotence", "false");
      else settings.put("enable.idempotence", "true");
      producer = new KafkaProducer<>(settings);
      if (transactional) call("initTransactions");
    }

    void send(int round, List<Future<?>> sent) throws Exception {
      if (transactional) call("beginTransaction");
      for (int at = 0; at < 1 + round % 4; at++) {
        int key = (round * 5 + at * 3) % KEYS;
        byte[] value = round % 9 == 8 && at == 0 ? null : ("round " + round + ", record " + at + " of " + name).getBytes();
        long time = START + 1000L * round + 10 * at - (round % 5 == 4 ? 2500 : 0);
        sent.add(producer.send(record(name, time, ("key-" + key).getBytes(), value)));
      }
    }

    void end(int round) throws Exception {
      if (transactional) call(round % 3 == 1 ? "abortTransaction" : "commitTransaction");
    }

    void call(String method) throws Exception {
      KafkaProducer.class.getMethod(method).invoke(producer);
    }
  }

  @SuppressWarnings("unchecked")
  static ProducerRecord<byte[], byte[]> record(String topic, long time, byte[] key, byte[] value) throws Exception {
    for (Constructor<?> each : ProducerRecord.class.getConstructors()) {
      Class<?>[] types = each.getParameterTypes();
      if (types.length == 5 && types[2] == Long.class && types[3] == Object.class) {
        return (ProducerRecord<byte[], byte[]>) each.newInstance(topic, 0, time, key, value);
      }
    }
    return new ProducerRecord<>(topic, 0, key, value);
  }
}

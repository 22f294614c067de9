import java.io.File;
import java.io.FileInputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.ElectionState;
import org.apache.kafka.raft.FileQuorumStateStore;
import org.apache.kafka.snapshot.FileRawSnapshotReader;
import org.apache.kafka.snapshot.RawSnapshotReader;
import org.apache.kafka.snapshot.RecordsSnapshotReader;
import org.apache.kafka.snapshot.SnapshotReader;
import org.apache.kafka.snapshot.Snapshots;
import org.apache.kafka.storage.internals.checkpoint.CleanShutdownFileHandler;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.checkpoint.PartitionMetadataFile;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogFileUtils;
import org.apache.kafka.storage.internals.log.OffsetIndex;
import org.apache.kafka.storage.internals.log.ProducerStateManager;
import org.apache.kafka.storage.internals.log.TimeIndex;
import org.apache.kafka.storage.internals.log.TransactionIndex;

/**
 * Has Kafka's classes read single files of data directories, and prints as JSON what they make of each.
 *
 * java JudgeFiles.java LIST: each line of LIST is an id, a tab, and the path of a file; or `file:` or `folder:` and a
 * name. An answer is {"accepted": what it says} or {"refused": class of the error}. Runs on the jars of 3.9 and 4.x.
 */
public class JudgeFiles {
  public static void main(String[] arguments) throws Exception {
    List<String> answers = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] parts = line.split("\t");
      answers.add(json(parts[0]) + ": " + judged(parts[1]));
    }
    System.out.println("{" + String.join(",\n", answers) + "}");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static String judged(String what) {
    try {
      return "{\"accepted\": " + json(read(what)) + "}";
    } catch (Throwable error) {
      Throwable cause = error;
      while (cause instanceof InvocationTargetException && cause.getCause() != null) cause = cause.getCause();
      return "{\"refused\": " + json(cause.getClass().getSimpleName()) + "}";
    }
  }

  static Object read(String what) throws Exception {
    if (what.startsWith("file:")) return List.of(LogFileUtils.offsetFromFileName(what.substring(5)));
    if (what.startsWith("folder:")) return partition(new File(what.substring(7)));
    File file = new File(what);
    String name = file.getName();
    String kind = name.substring(name.lastIndexOf('.') + 1);
    LogDirFailureChannel channel = new LogDirFailureChannel(10);
    switch (name) {
      case "leader-epoch-checkpoint": {
        List<Object> rows = new ArrayList<>();
        for (Object row : new LeaderEpochCheckpointFile(file, channel).read()) rows.add(fields(row, "epoch", "startOffset"));
        return rows;
      }
      case "partition.metadata":
        return fields(new PartitionMetadataFile(file, channel).read(), "version", "topicId");
      case "meta.properties":
        return metaProperties(file);
      case "quorum-state":
        return quorumState(file);
      case ".kafka_cleanshutdown":
        return List.of(plain(new CleanShutdownFileHandler(file.getParent()).read()));
      default:
        return name.endsWith("-offset-checkpoint") ? offsets(file, channel) : ofSegment(file, kind);
    }
  }

  static Object ofSegment(File file, String kind) throws Exception {
    long base = kind.equals("checkpoint") ? 0 : LogFileUtils.offsetFromFileName(file.getName());
    List<Object> rows = new ArrayList<>();
    if (kind.equals("index")) {
      OffsetIndex index = new OffsetIndex(file, base, -1, false);
      for (int slot = 0; slot < index.entries(); slot++) rows.add(fields(index.entry(slot), "offset", "position"));
    } else if (kind.equals("timeindex")) {
      TimeIndex index = new TimeIndex(file, base, -1, false);
      for (int slot = 0; slot < index.entries(); slot++) rows.add(fields(index.entry(slot), "timestamp", "offset"));
    } else if (kind.equals("txnindex")) {
      for (Object entry : new TransactionIndex(base, file).allAbortedTxns()) {
        rows.add(fields(entry, "producerId", "firstOffset", "lastOffset", "lastStableOffset"));
      }
    } else if (kind.equals("snapshot")) {
      for (Object entry : ProducerStateManager.readSnapshot(file)) {
        rows.add(fields(entry, "producerId", "producerEpoch", "lastDataOffset", "lastTimestamp", "coordinatorEpoch",
            "currentTxnFirstOffset"));
      }
    } else if (kind.equals("checkpoint")) {
      return kraftSnapshot(file);
    } else {
      throw new IllegalStateException("no such file is asked: " + file);
    }
    return rows;
  }

  static Object metaProperties(File file) throws Exception {
    Properties properties = new Properties();
    try (FileInputStream input = new FileInputStream(file)) {
      properties.load(input);
    }
    MetaProperties found = new MetaProperties.Builder(properties).build();
    return List.of(found.version().number(), plain(found.nodeId()), plain(found.clusterId()), plain(found.directoryId()));
  }

  static Object quorumState(File file) {
    Optional<ElectionState> found = new FileQuorumStateStore(file).readElectionState();
    if (found.isEmpty()) return List.of();
    ElectionState state = found.get();
    return List.of(state.epoch(), state.leaderIdOrSentinel());
  }

  /** End offset and epoch of the name, number of records, and the timestamp of the header. */
  static Object kraftSnapshot(File file) throws Exception {
    Object id = value(Snapshots.parse(file.toPath()).get(), "snapshotId");
    RawSnapshotReader raw = null;
    for (Method method : FileRawSnapshotReader.class.getMethods()) {
      if (method.getName().equals("open")) raw = (RawSnapshotReader) method.invoke(null, file.toPath().getParent(), id);
    }
    SnapshotReader<?> reader = null;
    for (Method method : RecordsSnapshotReader.class.getMethods()) {
      if (!method.getName().equals("of")) continue;
      Class<?> buffers = method.getParameterTypes()[2];
      Object supplier = buffers.getMethod("create").invoke(null);
      reader = (SnapshotReader<?>) (method.getParameterCount() == 5
          ? method.invoke(null, raw, MetadataRecordSerde.INSTANCE, supplier, 1 << 20, true)
          : method.invoke(null, raw, MetadataRecordSerde.INSTANCE, supplier, 1 << 20, true,
              method.getParameterTypes()[5].getConstructor().newInstance()));
    }
    long timestamp = reader.lastContainedLogTimestamp();
    int records = 0;
    while (reader.hasNext()) records += ((Batch<?>) reader.next()).records().size();
    return List.of(reader.lastContainedLogOffset() + 1, reader.lastContainedLogEpoch(), records, timestamp);
  }

  static Object partition(File folder) throws Exception {
    Object found;
    try {
      Class<?> log = Class.forName("org.apache.kafka.storage.internals.log.LocalLog");
      found = log.getMethod("parseTopicPartitionName", File.class).invoke(null, folder);
    } catch (ClassNotFoundException error) {
      Class<?> log = Class.forName("kafka.log.LocalLog$");
      found = log.getMethod("parseTopicPartitionName", File.class).invoke(log.getField("MODULE$").get(null), folder);
    }
    return fields(found, "topic", "partition");
  }

  static Object offsets(File file, LogDirFailureChannel channel) throws Exception {
    Map<?, ?> rows;
    try {
      Class<?> type = Class.forName("org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile");
      rows = (Map<?, ?>) call(type.getConstructors()[0].newInstance(file, channel), "read");
    } catch (ClassNotFoundException error) {
      Class<?> type = Class.forName("kafka.server.checkpoints.OffsetCheckpointFile");
      Object found = call(type.getConstructors()[0].newInstance(file, channel), "read");
      Class<?> converters = Class.forName("scala.jdk.javaapi.CollectionConverters");
      rows = (Map<?, ?>) converters.getMethod("asJava", Class.forName("scala.collection.Map")).invoke(null, found);
    }
    TreeMap<String, Object> sorted = new TreeMap<>();
    for (Map.Entry<?, ?> row : rows.entrySet()) {
      sorted.put(row.getKey().toString(), List.of(call(row.getKey(), "topic"), call(row.getKey(), "partition"), row.getValue()));
    }
    return new ArrayList<>(sorted.values());
  }

  /** Fields or accessors of a value, whichever a release has. */
  static List<Object> fields(Object value, String... names) throws Exception {
    List<Object> found = new ArrayList<>();
    for (String name : names) found.add(plain(value(value, name)));
    return found;
  }

  static Object value(Object owner, String name) throws Exception {
    try {
      return owner.getClass().getField(name).get(owner);
    } catch (NoSuchFieldException error) {
      return call(owner, name);
    }
  }

  static Object call(Object value, String name) throws Exception {
    Method method = value.getClass().getMethod(name);
    method.setAccessible(true);
    return method.invoke(value);
  }

  static Object plain(Object value) {
    if (value instanceof Optional<?> optional) return optional.isPresent() ? plain(optional.get()) : "";
    if (value instanceof OptionalInt optional) return optional.orElse(-1);
    if (value instanceof OptionalLong optional) return optional.orElse(-1);
    return value instanceof Number ? value : String.valueOf(value);
  }

  static String json(Object value) {
    if (value instanceof Collection<?> items) {
      List<String> texts = new ArrayList<>();
      for (Object item : items) texts.add(json(item));
      return "[" + String.join(", ", texts) + "]";
    }
    if (value instanceof Long || value instanceof Integer || value instanceof Short) return value.toString();
    StringBuilder text = new StringBuilder("\"");
    for (char letter : value.toString().toCharArray()) {
      if (letter == '"' || letter == '\\' || letter < ' ' || letter > '~') text.append(String.format("\\u%04x", (int) letter));
      else text.append(letter);
    }
    return text.append('"').toString();
  }
}

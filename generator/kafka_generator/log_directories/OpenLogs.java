import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.internals.KafkaRaftLog;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * Opens partitions as a broker of 4.4 does at its start, after a clean stop and after a crash, and
 * prints as JSON what became of each: offsets, segments, records, lookups, and the files that
 * recovery wrote.
 *
 * java OpenLogs.java LIST SCRATCH: each line of LIST has, with tabs between them, an id, the folder
 * of a partition, the start of its log, index.interval.bytes, offsets, times, and `clean` or `both`:
 * after which of the two stops to look them up. Offsets and times have commas between them; `all`
 * are the offsets from 0 to one behind the end.
 */
public class OpenLogs {
  static final String METADATA = "__cluster_metadata-0";

  /** Does nothing at any time: what a broker does in the background is not asked here. */
  static class Never implements Scheduler {
    public void startup() {}

    public void shutdown() {}

    public void resizeThreadPool(int size) {}

    public ScheduledFuture<?> schedule(String name, Runnable task, long delay, long period) {
      return new ScheduledThreadPoolExecutor(0).schedule(() -> {}, 1, TimeUnit.DAYS);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path scratch = Path.of(arguments[1]);
    List<String> answers = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] parts = line.split("\t");
      Path folder = Path.of(parts[1]);
      List<String> openings = new ArrayList<>();
      for (boolean clean : new boolean[] {true, false}) {
        Path copy = copied(folder, scratch.resolve(clean + "-" + number++).resolve(folder.getFileName()));
        openings.add(quoted(clean ? "clean" : "crashed") + ": " + opened(copy, parts, clean));
      }
      if (folder.endsWith(METADATA)) {
        openings.add(quoted("quorum") + ": " + quorum(copied(folder, scratch.resolve("quorum-" + number++).resolve(METADATA))));
      }
      answers.add(quoted(parts[0]) + ": {" + String.join(",\n ", openings) + "}");
    }
    System.out.println("{" + String.join(",\n", answers) + "}");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static String opened(Path folder, String[] parts, boolean clean) {
    Properties settings = new Properties();
    settings.put("index.interval.bytes", parts[3]);
    settings.put("segment.index.bytes", "20000");
    Map<String, String> answers = new LinkedHashMap<>();
    try {
      UnifiedLog log = UnifiedLog.create(folder.toFile(), new LogConfig(settings), Long.parseLong(parts[2]), 0, new Never(),
          new BrokerTopicStats(), Time.SYSTEM, 15 * 60 * 1000, new ProducerStateManagerConfig(Integer.MAX_VALUE, false), 600000,
          new LogDirFailureChannel(10), clean, Optional.empty());
      answers.put("start_offset", Long.toString(log.logStartOffset()));
      answers.put("end_offset", Long.toString(log.logEndOffset()));
      answers.put("segments", log.logSegments().stream().map(segment -> "[" + segment.baseOffset() + ", " + segment.size() + "]")
          .collect(Collectors.joining(", ", "[", "]")));
      answers.put("epochs", log.leaderEpochCache().epochEntries().stream()
          .map(entry -> "[" + entry.epoch() + ", " + entry.startOffset() + "]").collect(Collectors.joining(", ", "[", "]")));
      if (clean) answers.put("records", records(log));
      if (clean || parts[6].equals("both")) {
        LongStream offsets = parts[4].equals("all") ? LongStream.rangeClosed(0, log.logEndOffset() + 1) : numbers(parts[4]);
        answers.put("offsets", offsets.mapToObj(offset -> found(log, offset)).collect(Collectors.joining(", ", "[", "]")));
        answers.put("times", numbers(parts[5]).mapToObj(moment -> time(log, moment)).collect(Collectors.joining(", ", "[", "]")));
      }
      if (!clean) {
        log.prepareActiveSegmentForClose();
        log.flush(true);
        log.close();
        answers.put("files", files(folder));
      }
    } catch (Exception error) {
      answers.put("error", quoted(error.getClass().getSimpleName()));
    }
    return answers.entrySet().stream().map(answer -> quoted(answer.getKey()) + ": " + answer.getValue())
        .collect(Collectors.joining(",\n  ", "{", "}"));
  }

  /** Start, end and newest snapshot of the log of a metadata quorum, as the quorum opens it. */
  static String quorum(Path folder) {
    try {
      MetadataLogConfig settings = new MetadataLogConfig(new AbstractConfig(MetadataLogConfig.CONFIG_DEF, Map.of(), false));
      KafkaRaftLog log = KafkaRaftLog.createLog(new TopicPartition("__cluster_metadata", 0), Uuid.METADATA_TOPIC_ID,
          folder.toFile(), Time.SYSTEM, new Never(), settings, 1);
      long snapshot = log.latestSnapshotId().map(id -> id.offset()).orElse(-1L);
      return "{\"start_offset\": " + log.startOffset() + ", \"end_offset\": " + log.endOffset().offset() + ", \"snapshot\": " + snapshot + "}";
    } catch (Exception error) {
      return "{\"error\": " + quoted(error.getClass().getSimpleName()) + "}";
    }
  }

  static LongStream numbers(String text) {
    return Arrays.stream(text.split(",")).mapToLong(Long::parseLong);
  }

  /** All records from the start to the end of the log: offset, timestamp, key and value; or where reading stopped, and why. */
  static String records(UnifiedLog log) {
    List<String> found = new ArrayList<>();
    long next = log.logStartOffset();
    try {
      while (next < log.logEndOffset()) {
        var batches = log.read(next, 1, FetchIsolation.LOG_END, true).records.batches().iterator();
        if (!batches.hasNext()) break;
        var batch = batches.next();
        batch.ensureValid();
        for (Record record : batch) {
          if (record.offset() < next) continue;
          found.add("[" + record.offset() + ", " + record.timestamp() + ", " + hex(record.key()) + ", " + hex(record.value()) + "]");
        }
        next = batch.nextOffset();
      }
    } catch (Exception error) {
      found.add("[" + next + ", " + quoted(error.getClass().getSimpleName()) + "]");
    }
    return "[" + String.join(", ", found) + "]";
  }

  static String hex(java.nio.ByteBuffer content) {
    return content == null ? "null" : quoted(HexFormat.of().formatHex(Utils.toArray(content)));
  }

  /** The offset, the segment's base offset, the batch's position, its first offset; or the name of the error. */
  static String found(UnifiedLog log, long offset) {
    try {
      var found = log.read(offset, 1, FetchIsolation.LOG_END, true).fetchOffsetMetadata;
      return "[" + offset + ", " + found.segmentBaseOffset + ", " + found.relativePositionInSegment + ", " + found.messageOffset + "]";
    } catch (Exception error) {
      return "[" + offset + ", " + quoted(error.getClass().getSimpleName()) + "]";
    }
  }

  static String time(UnifiedLog log, long moment) {
    try {
      var found = log.fetchOffsetByTimestamp(moment, Optional.empty()).timestampAndOffsetOpt();
      return found.isEmpty() ? "[" + moment + "]"
          : "[" + moment + ", " + found.get().timestamp + ", " + found.get().offset + ", " + found.get().leaderEpoch.orElse(-1) + "]";
    } catch (Exception error) {
      return "[" + moment + ", " + quoted(error.getClass().getSimpleName()) + "]";
    }
  }

  /** The files after recovery and a clean stop: sizes of segments, contents of all others that recovery writes. */
  static String files(Path folder) throws IOException {
    try (var paths = Files.list(folder)) {
      List<String> found = new ArrayList<>();
      for (Path path : paths.sorted().toList()) {
        String name = path.getFileName().toString();
        String content = name.endsWith(".log") ? Long.toString(Files.size(path)) : quoted(HexFormat.of().formatHex(Files.readAllBytes(path)));
        found.add(quoted(name) + ": " + content);
      }
      return "{" + String.join(",\n   ", found) + "}";
    }
  }

  static Path copied(Path folder, Path place) throws IOException {
    Files.createDirectories(place);
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) Files.copy(file, place.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
    }
    return place;
  }

  static String quoted(String text) {
    return '"' + text + '"';
  }
}

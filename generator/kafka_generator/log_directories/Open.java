import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * Opens partitions as a broker of 4.x does at its start, after a clean stop and after a crash, and prints as JSON what
 * became of them: offsets, segments, the lookups of a consumer, and the files that recovery wrote.
 *
 * java Open.java SCRATCH LOG_START_OFFSETS PARTITION...: the offsets are NAME=OFFSET, with commas between them.
 */
public class Open {
  static final long START = 1_700_000_000_000L;

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
    Path scratch = Path.of(arguments[0]);
    Map<String, Long> starts = new LinkedHashMap<>();
    for (String pair : arguments[1].split(",")) starts.put(pair.split("=")[0], Long.parseLong(pair.split("=")[1]));
    List<String> answers = new ArrayList<>();
    for (String argument : Arrays.copyOfRange(arguments, 2, arguments.length)) {
      Path folder = Path.of(argument);
      String name = folder.getFileName().toString();
      long start = starts.getOrDefault(name, 0L);
      List<String> openings = new ArrayList<>();
      for (boolean clean : new boolean[] {true, false}) {
        Path copy = copied(folder, scratch.resolve(clean ? "clean" : "crashed").resolve(name));
        openings.add(quoted(clean ? "clean" : "crashed") + ": " + opened(copy, start, clean));
      }
      answers.add(quoted(name) + ": {" + String.join(",\n ", openings) + "}");
    }
    System.out.println("{" + String.join(",\n", answers) + "}");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static String opened(Path folder, long start, boolean clean) {
    Properties settings = new Properties();
    settings.put("index.interval.bytes", "300");
    settings.put("segment.index.bytes", "20000");
    Map<String, String> answers = new LinkedHashMap<>();
    try {
      UnifiedLog log = UnifiedLog.create(folder.toFile(), new LogConfig(settings), start, 0, new Never(), new BrokerTopicStats(),
          Time.SYSTEM, 15 * 60 * 1000, new ProducerStateManagerConfig(Integer.MAX_VALUE, false), 600000,
          new LogDirFailureChannel(10), clean, Optional.empty());
      answers.put("start_offset", Long.toString(log.logStartOffset()));
      answers.put("end_offset", Long.toString(log.logEndOffset()));
      answers.put("segments", log.logSegments().stream().map(segment -> "[" + segment.baseOffset() + ", " + segment.size() + "]")
          .collect(Collectors.joining(", ", "[", "]")));
      answers.put("epochs", log.leaderEpochCache().epochEntries().stream()
          .map(entry -> "[" + entry.epoch() + ", " + entry.startOffset() + "]").collect(Collectors.joining(", ", "[", "]")));
      answers.put("reads", LongStream.rangeClosed(0, log.logEndOffset() + 1).mapToObj(offset -> read(log, offset))
          .collect(Collectors.joining(", ", "[", "]")));
      answers.put("times", LongStream.concat(LongStream.of(0), LongStream.rangeClosed(0, 122).map(step -> START + 505 * step))
          .mapToObj(moment -> time(log, moment)).collect(Collectors.joining(", ", "[", "]")));
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

  /** The offset, the base offset of the segment, and the position of the batch; or the name of the error. */
  static String read(UnifiedLog log, long offset) {
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
    if (Files.exists(place)) {
      try (var old = Files.walk(place)) {
        for (Path path : old.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
      }
    }
    Files.createDirectories(place);
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) Files.copy(file, place.resolve(file.getFileName()), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    }
    return place;
  }

  static String quoted(String text) {
    return '"' + text + '"';
  }
}

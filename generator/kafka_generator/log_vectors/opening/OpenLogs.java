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
import java.util.Properties;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * Opens partitions as a broker does at its start, after a clean stop and after a crash, and prints
 * as JSON what became of each: offsets, segments, records, lookups, and the files that recovery
 * wrote. BrokerLog, in a folder for each release, is the log as that release's classes have it.
 *
 * java OpenLogs LIST SCRATCH: each line of LIST has, with tabs between them, an id, the folder
 * of a partition, the start of its log, index.interval.bytes, offsets, times, and `clean` or `both`:
 * after which of the two stops to look them up. Offsets and times have commas between them; `all`
 * are the offsets from 0 to one past the end.
 */
public class OpenLogs {
  static final String METADATA = "__cluster_metadata-0";

  /** Runs nothing at any time: what a broker does in the background is not asked here. */
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
        Path copied = copy(folder, scratch.resolve(clean + "-" + number++).resolve(folder.getFileName()));
        openings.add(quote(clean ? "clean" : "crashed") + ": " + open(copied, parts, clean));
      }
      if (folder.endsWith(METADATA)) {
        Path copied = copy(folder, scratch.resolve("quorum-" + number++).resolve(METADATA));
        openings.add(quote("quorum") + ": " + quorum(copied));
      }
      answers.add(quote(parts[0]) + ": {" + String.join(",\n ", openings) + "}");
    }
    System.out.println("{" + String.join(",\n", answers) + "}");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static String open(Path folder, String[] parts, boolean clean) {
    Properties settings = new Properties();
    settings.put("index.interval.bytes", parts[3]);
    settings.put("segment.index.bytes", "20000");
    Map<String, String> answers = new LinkedHashMap<>();
    try {
      BrokerLog log = new BrokerLog(folder, new LogConfig(settings), Long.parseLong(parts[2]), clean);
      answers.put("start_offset", Long.toString(log.start()));
      answers.put("end_offset", Long.toString(log.end()));
      answers.put("segments", list(log.segments()));
      answers.put("epochs", list(log.epochs()));
      if (clean) answers.put("records", records(log));
      if (clean || parts[6].equals("both")) {
        LongStream offsets = parts[4].equals("all") ? LongStream.rangeClosed(0, log.end() + 1) : numbers(parts[4]);
        answers.put("offsets", list(offsets.mapToObj(offset -> position(log, offset))));
        answers.put("times", list(numbers(parts[5]).mapToObj(time -> atTime(log, time))));
      }
      if (!clean) {
        log.close();
        answers.put("files", files(folder));
      }
    } catch (Exception error) {
      answers.put("error", quote(error.getClass().getSimpleName()));
    }
    return answers.entrySet().stream().map(answer -> quote(answer.getKey()) + ": " + answer.getValue())
        .collect(Collectors.joining(",\n  ", "{", "}"));
  }

  /** Start, end and newest snapshot (-1: none) of the log of a metadata quorum, as the quorum opens it. */
  static String quorum(Path folder) {
    try {
      long[] ends = BrokerLog.quorum(folder);
      return "{\"start_offset\": " + ends[0] + ", \"end_offset\": " + ends[1] + ", \"snapshot\": " + ends[2] + "}";
    } catch (Exception error) {
      return "{\"error\": " + quote(error.getClass().getSimpleName()) + "}";
    }
  }

  static LongStream numbers(String text) {
    return Arrays.stream(text.split(",")).mapToLong(Long::parseLong);
  }

  /** Offset, timestamp, key and value of all records of the log; last, where reading stopped and why, if it did. */
  static String records(BrokerLog log) {
    List<String> records = new ArrayList<>();
    long next = log.start();
    try {
      while (next < log.end()) {
        var batches = log.read(next).records.batches().iterator();
        if (!batches.hasNext()) break;
        var batch = batches.next();
        batch.ensureValid();
        for (var record : batch) {
          if (record.offset() < next) continue;
          records.add(row(record.offset(), record.timestamp(), hex(record.key()), hex(record.value())));
        }
        next = batch.nextOffset();
      }
    } catch (Exception error) {
      records.add(row(next, quote(error.getClass().getSimpleName())));
    }
    return list(records.stream());
  }

  static String hex(java.nio.ByteBuffer content) {
    return content == null ? "null" : quote(HexFormat.of().formatHex(Utils.toArray(content)));
  }

  /** The offset, the segment's base offset, the batch's position, its first offset; or the name of the error. */
  static String position(BrokerLog log, long offset) {
    try {
      var batch = log.read(offset).fetchOffsetMetadata;
      return row(offset, batch.segmentBaseOffset, batch.relativePositionInSegment, batch.messageOffset);
    } catch (Exception error) {
      return row(offset, quote(error.getClass().getSimpleName()));
    }
  }

  /** The time, then timestamp, offset and leader epoch of the record that is found for it; or the name of the error. */
  static String atTime(BrokerLog log, long time) {
    try {
      var found = log.lookup(time);
      return found.map(record -> row(time, record.timestamp, record.offset, record.leaderEpoch.orElse(-1)))
          .orElse(row(time));
    } catch (Exception error) {
      return row(time, quote(error.getClass().getSimpleName()));
    }
  }

  /** The files after recovery and a clean stop: sizes of segments, contents of all others that recovery writes. */
  static String files(Path folder) throws IOException {
    try (var paths = Files.list(folder)) {
      List<String> contents = new ArrayList<>();
      for (Path path : paths.sorted().toList()) {
        String name = path.getFileName().toString();
        String content = name.endsWith(".log") ? Long.toString(Files.size(path))
            : quote(HexFormat.of().formatHex(Files.readAllBytes(path)));
        contents.add(quote(name) + ": " + content);
      }
      return "{" + String.join(",\n   ", contents) + "}";
    }
  }

  static Path copy(Path folder, Path place) throws IOException {
    Files.createDirectories(place);
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.copy(file, place.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return place;
  }

  static String row(Object... values) {
    return list(Arrays.stream(values).map(String::valueOf));
  }

  static String list(Stream<String> values) {
    return values.collect(Collectors.joining(", ", "[", "]"));
  }

  static String quote(String text) {
    return '"' + text + '"';
  }
}

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.OffsetIndex;
import org.apache.kafka.storage.internals.log.TimeIndex;
import org.apache.kafka.storage.internals.log.TransactionIndex;

/**
 * Puts questions to the classes that read a partition's files, and prints what they answer as JSON.
 *
 * java Ask.java SCRATCH PARTITION...: each partition is a folder, and is copied to the scratch folder before it is read,
 * since these classes alter what they open. Answers are lists of numbers; null stands for none.
 */
public class Ask {
  static final long START = 1_700_000_000_000L;

  public static void main(String[] arguments) throws Exception {
    Path scratch = Path.of(arguments[0]);
    List<String> partitions = new ArrayList<>();
    for (String argument : Arrays.copyOfRange(arguments, 1, arguments.length)) {
      Path folder = Path.of(argument);
      partitions.add(quoted(folder.getFileName().toString()) + ": " + partition(folder, scratch));
    }
    System.out.println("{" + String.join(",\n", partitions) + "}");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static String partition(Path folder, Path scratch) throws Exception {
    List<String> segments = new ArrayList<>();
    for (long base : bases(folder)) {
      Path copy = copied(folder, scratch.resolve("segments").resolve(folder.getFileName()));
      segments.add(quoted(Long.toString(base)) + ": " + segment(copy.toFile(), base));
    }
    return "{" + quoted("segments") + ": {" + String.join(",\n", segments) + "}}";
  }

  static TreeSet<Long> bases(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".log"))
          .map(name -> Long.parseLong(name.substring(0, 20))).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** What the indexes and the segment answer. */
  static String segment(File folder, long base) throws Exception {
    Map<String, String> answers = new java.util.LinkedHashMap<>();
    File offsets = file(folder, base, ".index"), times = file(folder, base, ".timeindex");
    OffsetIndex index = new OffsetIndex(offsets, base, -1, false);
    int entries = index.entries();
    answers.put("entries", Integer.toString(entries));
    answers.put("lookup", all(targets(base), target -> {
      Object found = index.lookup(target);
      return list(target, get(found, "offset"), get(found, "position"));
    }));
    TimeIndex timeIndex = new TimeIndex(times, base, -1, false);
    answers.put("time_entries", Integer.toString(timeIndex.entries()));
    answers.put("time_lookup", all(moments(), moment -> {
      Object found = timeIndex.lookup(moment);
      return list(moment, get(found, "timestamp"), get(found, "offset"));
    }));
    answers.put("aborted", new TransactionIndex(base, file(folder, base, ".txnindex")).allAbortedTxns().stream()
        .map(aborted -> list(get(aborted, "producerId"), get(aborted, "firstOffset"), get(aborted, "lastOffset"),
            get(aborted, "lastStableOffset"))).collect(Collectors.joining(", ", "[", "]")));
    Properties settings = new Properties();
    LogSegment segment = LogSegment.open(folder, base, new LogConfig(settings), Time.SYSTEM, true, 0, false, "");
    answers.put("translate", all(targets(base), target -> {
      Object found = segment.translateOffset(target);
      return found == null ? null : list(target, get(found, "position"), get(found, "size"));
    }));
    answers.put("by_time", all(moments(), moment -> {
      Optional<?> found = byTime(segment, moment, base);
      return found.isEmpty() ? null : list(moment, get(found.get(), "timestamp"), get(found.get(), "offset"));
    }));
    answers.put("next_offset", Long.toString(segment.readNextOffset()));
    return answers.entrySet().stream().map(answer -> quoted(answer.getKey()) + ": " + answer.getValue())
        .collect(Collectors.joining(",\n ", "{", "}"));
  }

  static Optional<?> byTime(LogSegment segment, long moment, long base) throws Exception {
    for (Method method : LogSegment.class.getMethods()) {
      if (method.getName().equals("findOffsetByTimestamp")) {
        return (Optional<?>) (method.getParameterCount() == 2
            ? method.invoke(segment, moment, base)
            : method.invoke(segment, moment, base, Integer.MAX_VALUE));
      }
    }
    throw new IllegalStateException("no findOffsetByTimestamp");
  }

  static LongStream targets(long base) {
    return LongStream.rangeClosed(Math.max(base - 1, 0), base + 90);
  }

  static LongStream moments() {
    return LongStream.concat(LongStream.of(0, START - 1), LongStream.rangeClosed(0, 122).map(step -> START + 505 * step));
  }

  interface Question {
    String ask(long target) throws Exception;
  }

  static String all(LongStream targets, Question question) {
    return targets.mapToObj(target -> {
      try {
        String answer = question.ask(target);
        return answer == null ? list(target) : answer;
      } catch (Exception error) {
        Throwable cause = error.getCause() == null ? error : error.getCause();
        return "[" + target + ", " + quoted(cause.getClass().getSimpleName()) + "]";
      }
    }).collect(Collectors.joining(", ", "[", "]"));
  }

  static File file(File folder, long base, String ending) {
    return new File(folder, String.format("%020d", base) + ending);
  }

  static Path copied(Path folder, Path place) throws IOException {
    if (Files.exists(place)) {
      try (var old = Files.walk(place)) {
        for (Path path : old.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
      }
    }
    Files.createDirectories(place);
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) Files.copy(file, place.resolve(file.getFileName()));
    }
    return place;
  }

  /** A field or an accessor of a value: releases differ. */
  static Object get(Object value, String name) throws RuntimeException {
    try {
      try {
        return value.getClass().getField(name).get(value);
      } catch (NoSuchFieldException error) {
        Method method = value.getClass().getMethod(name);
        method.setAccessible(true);
        return method.invoke(value);
      }
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }

  static String list(Object... values) {
    return Arrays.stream(values).map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
  }

  static String quoted(String text) {
    return '"' + text + '"';
  }
}

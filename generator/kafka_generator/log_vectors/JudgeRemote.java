import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Has Kafka of 3.1 to 3.7 read its snapshots of remote log metadata, and prints as JSON what it makes of each.
 *
 * java JudgeRemote.java LIST: as JudgeFiles.java; every file is called remote_log_snapshot.
 */
public class JudgeRemote {
  static final String FILE = "org.apache.kafka.server.log.remote.metadata.storage.RemoteLogMetadataSnapshotFile";

  public static void main(String[] arguments) throws Exception {
    List<String> answers = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] parts = line.split("\t");
      answers.add("\"" + parts[0] + "\": " + judged(new File(parts[1])));
    }
    System.out.println("{" + String.join(",\n", answers) + "}");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static String judged(File file) throws Exception {
    Constructor<?> open = Class.forName(FILE).getDeclaredConstructor(Path.class);
    open.setAccessible(true);
    try {
      Optional<?> found = (Optional<?>) call(open.newInstance(file.toPath().getParent()), "read");
      Object snapshot = found.get();
      List<String> rows = new ArrayList<>();
      for (Object one : (Collection<?>) call(snapshot, "remoteLogSegmentMetadataSnapshots")) {
        rows.add("[\"" + call(one, "segmentId") + "\", " + call(one, "startOffset") + ", " + call(one, "endOffset") + "]");
      }
      return "{\"accepted\": [" + call(snapshot, "metadataPartition") + ", " + call(snapshot, "metadataPartitionOffset")
          + ", [" + String.join(", ", rows) + "]]}";
    } catch (Throwable error) {
      Throwable cause = error;
      while (cause instanceof InvocationTargetException && cause.getCause() != null) cause = cause.getCause();
      return "{\"refused\": \"" + cause.getClass().getSimpleName() + "\"}";
    }
  }

  static Object call(Object value, String name) throws Exception {
    Method method = value.getClass().getMethod(name);
    method.setAccessible(true);
    return method.invoke(value);
  }
}

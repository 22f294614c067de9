import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;

/** Remote storage that takes every segment and keeps none: a start asks for none. */
public class SinkStorage implements RemoteStorageManager {
  @Override public void configure(Map<String, ?> settings) {}

  @Override public void close() {}

  @Override public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata metadata, LogSegmentData data) {
    return Optional.empty();
  }

  @Override public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start) {
    return new ByteArrayInputStream(new byte[0]);
  }

  @Override public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start, int end) {
    return new ByteArrayInputStream(new byte[0]);
  }

  @Override public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType type) {
    return new ByteArrayInputStream(new byte[0]);
  }

  @Override public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata) {}
}

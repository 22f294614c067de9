import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import kafka.log.UnifiedLog;
import kafka.raft.KafkaMetadataLog;
import kafka.raft.MetadataLogConfig;
import kafka.server.BrokerTopicStats;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogOffsetsListener;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import scala.jdk.javaapi.OptionConverters;

/** The log of a partition, opened by the classes of 3.9, most of them in Scala: what OpenLogs asks of it. */
class BrokerLog {
  private static final long WEEK = 7 * 24 * 3600 * 1000L;

  private final UnifiedLog log;

  BrokerLog(Path folder, LogConfig config, long start, boolean clean) throws Exception {
    log = UnifiedLog.apply(folder.toFile(), config, start, 0, new OpenLogs.Never(), new BrokerTopicStats(false),
        Time.SYSTEM, 15 * 60 * 1000, new ProducerStateManagerConfig(Integer.MAX_VALUE, false), 600000,
        new LogDirFailureChannel(10), clean, scala.Option.empty(), true, new ConcurrentHashMap<>(), false,
        LogOffsetsListener.NO_OP_OFFSETS_LISTENER);
  }

  long start() {
    return log.logStartOffset();
  }

  long end() {
    return log.logEndOffset();
  }

  Stream<String> segments() {
    return log.logSegments().stream().map(segment -> OpenLogs.row(segment.baseOffset(), segment.size()));
  }

  Stream<String> epochs() {
    return log.leaderEpochCache().get().epochEntries().stream()
        .map(entry -> OpenLogs.row(entry.epoch, entry.startOffset));
  }

  /** At least one batch, from the one that has the offset. */
  FetchDataInfo read(long offset) throws Exception {
    return log.read(offset, 1, FetchIsolation.LOG_END, true);
  }

  Optional<FileRecords.TimestampAndOffset> lookup(long time) {
    return OptionConverters.toJava(log.fetchOffsetByTimestamp(time, scala.Option.empty()));
  }

  /** Writes what a clean stop writes. */
  void close() throws Exception {
    log.flush(true);
    log.close();
  }

  /** Start, end and newest snapshot (-1: none) of the log of a metadata quorum, as the quorum opens it. */
  static long[] quorum(Path folder) throws Exception {
    MetadataLogConfig settings = new MetadataLogConfig(1 << 30, 1 << 20, WEEK, -1, WEEK, 8 << 20, 8 << 20, 60_000, 1);
    KafkaMetadataLog log = KafkaMetadataLog.apply(new TopicPartition("__cluster_metadata", 0), Uuid.METADATA_TOPIC_ID,
        folder.toFile(), Time.SYSTEM, new OpenLogs.Never(), settings);
    long snapshot = log.latestSnapshotId().map(id -> id.offset()).orElse(-1L);
    return new long[] {log.startOffset(), log.endOffset().offset(), snapshot};
  }
}

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.internals.KafkaRaftLog;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** The log of a partition, opened by the classes of 4.4: what OpenLogs asks of it. */
class BrokerLog {
  private final UnifiedLog log;

  BrokerLog(Path folder, LogConfig config, long start, boolean clean) throws Exception {
    log = UnifiedLog.create(folder.toFile(), config, start, 0, new OpenLogs.Never(), new BrokerTopicStats(),
        Time.SYSTEM, 15 * 60 * 1000, new ProducerStateManagerConfig(Integer.MAX_VALUE, false), 600000,
        new LogDirFailureChannel(10), clean, Optional.empty());
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
    return log.leaderEpochCache().epochEntries().stream()
        .map(entry -> OpenLogs.row(entry.epoch(), entry.startOffset()));
  }

  /** At least one batch, from the one that has the offset. */
  FetchDataInfo read(long offset) throws Exception {
    return log.read(offset, 1, FetchIsolation.LOG_END, true);
  }

  Optional<FileRecords.TimestampAndOffset> lookup(long time) {
    return log.fetchOffsetByTimestamp(time, Optional.empty()).timestampAndOffsetOpt();
  }

  /** Writes what a clean stop writes. */
  void close() throws Exception {
    log.prepareActiveSegmentForClose();
    log.flush(true);
    log.close();
  }

  /** Start, end and newest snapshot (-1: none) of the log of a metadata quorum, as the quorum opens it. */
  static long[] quorum(Path folder) throws Exception {
    AbstractConfig defaults = new AbstractConfig(MetadataLogConfig.CONFIG_DEF, Map.of(), false);
    KafkaRaftLog log = KafkaRaftLog.createLog(new TopicPartition("__cluster_metadata", 0), Uuid.METADATA_TOPIC_ID,
        folder.toFile(), Time.SYSTEM, new OpenLogs.Never(), new MetadataLogConfig(defaults), 1);
    long snapshot = log.latestSnapshotId().map(id -> id.offset()).orElse(-1L);
    return new long[] {log.startOffset(), log.endOffset().offset(), snapshot};
  }
}

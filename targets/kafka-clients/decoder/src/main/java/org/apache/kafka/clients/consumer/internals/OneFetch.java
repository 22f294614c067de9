package org.apache.kafka.clients.consumer.internals;

import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;
import org.kafkaconformance.adapter.Making;
import org.slf4j.LoggerFactory;

/**
 * One fetch response on its way through Kafka's own consumer: FetchCollector with a CompletedFetch, polled until it is
 * used up or throws.
 *
 * <p>It stands in this package because these classes are visible in it only. Constructors that differ between releases
 * are found by {@link Making}.
 */
public final class OneFetch {
    private static final TopicPartition PARTITION = new TopicPartition("topic", 0);
    private static final short REQUEST_VERSION = 12;
    private static final int FETCH_SIZE = 1 << 20;
    private static final String NO_PROGRESS = "Failed to make progress";

    private final BufferSupplier decompressionBuffers = BufferSupplier.create();

    /** What the application got, the consumer's position after it, and what was thrown, or null. */
    public record Result(List<ConsumerRecord<byte[], byte[]>> records, long position, Throwable error) {
        /** Whether the consumer complained that the response has bytes and no whole entry. */
        public boolean tooSmall() {
            return error != null && String.valueOf(error.getMessage()).startsWith(NO_PROGRESS);
        }
    }

    /** Polls until the response is used up or the consumer throws. */
    public Result deliver(ByteBuffer entries, long fetchOffset, IsolationLevel isolation,
            List<FetchResponseData.AbortedTransaction> aborted) {
        LogContext context = new LogContext();
        SubscriptionState subscriptions = subscriptions(context, fetchOffset);
        try (FetchBuffer buffer = new FetchBuffer(context); Metrics metrics = new Metrics()) {
            FetchMetricsManager manager = new FetchMetricsManager(metrics, new FetchMetricsRegistry());
            FetchResponseData.PartitionData data = new FetchResponseData.PartitionData()
                    .setRecords(MemoryRecords.readableRecords(entries)).setAbortedTransactions(aborted);
            buffer.add(completedFetch(subscriptions, manager, fetchOffset, data));
            FetchConfig config = new FetchConfig(1, FETCH_SIZE, 0, FETCH_SIZE, Integer.MAX_VALUE, true, "", isolation);
            // Metadata is looked at for errors of the broker only, of which there is none here.
            FetchCollector<byte[], byte[]> collector = new FetchCollector<>(context, null, subscriptions, config,
                    deserializers(metrics), manager, Time.SYSTEM);
            return poll(collector, buffer, subscriptions);
        }
    }

    private static Result poll(FetchCollector<byte[], byte[]> collector, FetchBuffer buffer,
            SubscriptionState subscriptions) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        Throwable error = null;
        try {
            // An error after some records is thrown by the next poll.
            for (boolean more = true; more;) {
                Fetch<byte[], byte[]> fetch = collector.collectFetch(buffer);
                records.addAll(fetch.records().getOrDefault(PARTITION, List.of()));
                more = fetch.numRecords() > 0;
            }
        } catch (Throwable thrown) {
            error = thrown;
        }
        return new Result(records, subscriptions.position(PARTITION).offset, error);
    }

    private static SubscriptionState subscriptions(LogContext context, long fetchOffset) {
        Constructor<?> constructor = SubscriptionState.class.getConstructors()[0];
        Object none = Making.constant(constructor.getParameterTypes()[1], "NONE");
        SubscriptionState subscriptions = Making.make(SubscriptionState.class, context, none);
        subscriptions.assignFromUser(Set.of(PARTITION));
        subscriptions.seek(PARTITION, fetchOffset);
        return subscriptions;
    }

    private CompletedFetch completedFetch(SubscriptionState subscriptions, FetchMetricsManager manager,
            long fetchOffset, FetchResponseData.PartitionData data) {
        FetchMetricsAggregator aggregator = new FetchMetricsAggregator(manager, Set.of(PARTITION));
        // 4.0 dropped the version of the request, with the versions that knew nothing of KIP-74.
        return Making.make(CompletedFetch.class, LoggerFactory.getLogger(OneFetch.class), subscriptions,
                decompressionBuffers, PARTITION, data, aggregator, fetchOffset, REQUEST_VERSION);
    }

    private static Deserializers<byte[], byte[]> deserializers(Metrics metrics) {
        return Making.make(Deserializers.class, new ByteArrayDeserializer(), new ByteArrayDeserializer(), metrics);
    }
}

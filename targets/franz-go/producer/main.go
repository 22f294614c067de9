// Writes orders with franz-go: franz_go HOST:PORT BROKER-RELEASE < orders.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kversion"

	"kafkaconformance/common/orders"
)

func main() {
	orders.Stepping = step
	orders.Each("github.com/twmb/franz-go", write)
}

const soon = 8 * time.Second

type stepping struct {
	inner *kgo.Client
	topic string
}

func step(address string, order orders.Order) (orders.Producer, error) {
	options := []kgo.Opt{
		kgo.SeedBrokers(address), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0),
		kgo.RecordDeliveryTimeout(soon), kgo.RetryTimeout(soon), kgo.RequestTimeoutOverhead(2 * time.Second),
		kgo.ProduceRequestTimeout(time.Second), kgo.MetadataMinAge(100 * time.Millisecond),
		kgo.RetryBackoffFn(func(int) time.Duration { return 50 * time.Millisecond }),
	}
	if order.Transactional {
		options = append(options, kgo.TransactionalID(order.Topic))
	}
	inner, err := kgo.NewClient(options...)
	return &stepping{inner, order.Topic}, err
}

func (s *stepping) Begin() error { return s.inner.BeginTransaction() }

func (s *stepping) Send(values []string) []error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*soon)
	defer cancel()
	records := make([]*kgo.Record, len(values))
	for index, value := range values {
		records[index] = &kgo.Record{Topic: s.topic, Value: []byte(value)}
	}
	errs := make([]error, len(values))
	for index, result := range s.inner.ProduceSync(ctx, records...) {
		errs[index] = result.Err
	}
	return errs
}

func (s *stepping) Commit() error { return s.end(kgo.TryCommit) }

func (s *stepping) Abort() error {
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	if err := s.inner.AbortBufferedRecords(ctx); err != nil {
		return err
	}
	return s.end(kgo.TryAbort)
}

func (s *stepping) end(how kgo.TransactionEndTry) error {
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	return s.inner.EndTransaction(ctx, how)
}

func (s *stepping) IsFatal(err error) bool {
	return errors.Is(err, kerr.ProducerFenced) || errors.Is(err, kerr.InvalidProducerIDMapping) || errors.Is(err, kerr.TransactionalIDAuthorizationFailed)
}

func (s *stepping) Close() { s.inner.Close() }

func write(address string, order orders.Order) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	codec := map[string]kgo.CompressionCodec{
		"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(),
		"lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
	}[order.Codec]
	if order.Level != nil {
		codec = codec.WithLevel(*order.Level)
	}
	options := []kgo.Opt{
		kgo.SeedBrokers(address), kgo.AllowAutoTopicCreation(), kgo.ProducerBatchCompression(codec),
		kgo.ProducerLinger(time.Second), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.RetryTimeout(20 * time.Second),
	}
	if os.Args[2] == "0.9.0.1" { // it does not know the request that tells versions
		options = append(options, kgo.MaxVersions(kversion.V0_9_0()))
	}
	if !order.Idempotent {
		options = append(options, kgo.DisableIdempotentWrite())
	}
	if order.Acks != nil {
		options = append(options, kgo.RequiredAcks(map[int]kgo.Acks{-1: kgo.AllISRAcks(), 0: kgo.NoAck(), 1: kgo.LeaderAck()}[*order.Acks]))
	}
	if order.Transactional {
		options = append(options, kgo.TransactionalID(order.Topic))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		return err
	}
	defer client.Close()
	if order.Transactional {
		if err := client.BeginTransaction(); err != nil {
			return err
		}
	}
	var failures []error
	for _, record := range order.Records {
		sent := &kgo.Record{
			Topic: order.Topic, Key: orders.Bytes(record.Key), Value: orders.Bytes(record.Value),
			Timestamp: time.UnixMilli(record.Timestamp),
		}
		for _, header := range record.Headers {
			sent.Headers = append(sent.Headers, kgo.RecordHeader{Key: *header[0], Value: orders.Bytes(header[1])})
		}
		client.Produce(ctx, sent, func(_ *kgo.Record, err error) { failures = append(failures, err) })
	}
	if err := client.Flush(ctx); err != nil {
		return err
	}
	if order.Transactional {
		failures = append(failures, client.EndTransaction(ctx, kgo.TryCommit))
	}
	return errors.Join(failures...)
}

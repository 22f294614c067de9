// franz-go behind the adapter protocol: what kgo's own consumer does with the records of a fetched partition.
//
// kgo.ProcessFetchPartition is that step of its consumer (source.go). It goes on from the offset where it stopped, as
// the consumer's next poll does: a batch that cannot be decompressed after good ones is only reported then.
package main

import (
	"math"

	"kafkaconformance/adapter"
	"kafkaconformance/common"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

var decompressor = kgo.DefaultDecompressor()

func main() {
	adapter.Target{
		Hello: map[string]any{
			"protocol":   1,
			"name":       "franz-go",
			"version":    common.VersionOf("github.com/twmb/franz-go"),
			"language":   "Go",
			"formats":    []string{"v0", "v1", "v2"},
			"codecs":     []string{"none", "gzip", "snappy", "lz4", "zstd"},
			"fields":     []string{"offset", "timestamp", "timestamp_type", "key", "value", "headers", "producer_id", "producer_epoch", "transactional", "control", "codec"},
			"checks_crc": true,
			"directions": []string{"decode", "encode"},
			"apis":       map[string]string{"form": "bytes"},
			"url":        "https://github.com/twmb/franz-go",
		},
		Decode:  decode,
		Encode:  encode,
		Message: rewrite,
	}.Serve()
}

func decode(data []byte) (records []adapter.Record, err error) {
	opts := kgo.ProcessFetchPartitionOpts{KeepControlRecords: true, Offset: math.MinInt64} // nothing is too old
	for {
		partition := &kmsg.FetchResponseTopicPartition{RecordBatches: data}
		polled, next := kgo.ProcessFetchPartition(opts, partition, decompressor, nil)
		for _, record := range polled.Records {
			records = append(records, answer(record))
		}
		if polled.Err != nil || next == opts.Offset {
			return records, polled.Err
		}
		opts.Offset = next
	}
}

func answer(record *kgo.Record) adapter.Record {
	attributes := record.Attrs
	answer := adapter.Record{
		Offset:        record.Offset,
		Timestamp:     -1,
		TimestampType: attributes.TimestampType(),
		Key:           record.Key,
		Value:         record.Value,
		ProducerID:    record.ProducerID,
		ProducerEpoch: record.ProducerEpoch,
		Codec:         int8(attributes.CompressionType()),
	}
	if !record.Timestamp.IsZero() {
		answer.Timestamp = record.Timestamp.UnixMilli()
	}
	if attributes.IsTransactional() {
		answer.Flags |= 1
	}
	if attributes.IsControl() {
		answer.Flags |= 2
	}
	for _, header := range record.Headers {
		answer.Headers = append(answer.Headers, [2][]byte{[]byte(header.Key), header.Value})
	}
	return answer
}

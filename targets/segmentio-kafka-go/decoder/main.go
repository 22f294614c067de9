// kafka-go behind the adapter protocol: what its Reader does with a fetch, from a broker within this process.
//
// The Reader fetches through Conn.ReadBatchWith and reads messages until the end of the batch or an error (reader.go,
// the method read), and so does this. The Reader itself cannot be asked: it logs most errors and tries again for ever.
package main

import (
	"errors"
	"io"
	"math"
	"time"

	"github.com/segmentio/kafka-go"

	"kafkaconformance/adapter"
	"kafkaconformance/common"
)

// target is what this program can do; messages.go, which is not built for old releases, adds requests and responses.
var target = adapter.Target{
	Hello: map[string]any{
		"protocol":   1,
		"name":       "segmentio-kafka-go",
		"version":    common.VersionOf("github.com/segmentio/kafka-go"),
		"language":   "Go",
		"formats":    []string{"v0", "v1", "v2"},
		"codecs":     []string{"none", "gzip", "snappy", "lz4", "zstd"},
		"fields":     []string{"offset", "timestamp", "key", "value", "headers"},
		"checks_crc": false,
		"directions": []string{"decode", "encode"},
		"url":        "https://github.com/segmentio/kafka-go",
	},
	Decode: decode,
	Encode: encode,
}

func main() {
	target.Serve()
}

// lowest is where the fetch starts, so that nothing is too old for it. It is the end of a log without records.
const lowest = math.MinInt64

func decode(data []byte) (records []adapter.Record, _ error) {
	pipe := common.Broker(func(key, _ int16, _ []byte) []byte {
		if key == common.ApiVersions {
			return []byte{0, 0, 0, 0, 0, 1, 0, common.Fetch, 0, 0, 0, 10} // no error, one key, versions 0 to 10
		}
		if len(data) == 0 {
			return common.FetchResponse10(nil, lowest)
		}
		return common.FetchResponse10(data, math.MaxInt64)
	})
	connection := kafka.NewConnWith(pipe, kafka.ConnConfig{Topic: common.Topic, Partition: common.Partition})
	connection.Seek(lowest, kafka.SeekAbsolute|kafka.SeekDontCheck)
	connection.SetReadDeadline(time.Now().Add(10 * time.Second)) // the Reader's ReadBatchTimeout
	batch := connection.ReadBatchWith(kafka.ReadBatchConfig{MinBytes: 1, MaxBytes: 1 << 30})
	message, err := batch.ReadMessage()
	for ; err == nil; message, err = batch.ReadMessage() {
		records = append(records, answer(message))
	}
	pipe.Close() // first, or the batch waits for the bytes that a failed decompression did not count
	batch.Close()
	if errors.Is(err, io.EOF) || (len(data) == 0 && errors.Is(err, kafka.RequestTimedOut)) {
		return records, nil
	}
	return records, err
}

func answer(message kafka.Message) adapter.Record {
	answer := adapter.Record{Offset: message.Offset, Timestamp: -1, Key: message.Key, Value: message.Value}
	if !message.Time.IsZero() {
		answer.Timestamp = message.Time.UnixMilli()
	}
	for _, header := range message.Headers {
		answer.Headers = append(answer.Headers, [2][]byte{[]byte(header.Key), header.Value})
	}
	return answer
}

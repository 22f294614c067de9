// sarama behind the adapter protocol: its consumer, which fetches each input from a broker within this process.
//
// sarama decodes records only as part of a fetch response, and the last steps (offsets of inner messages, timestamps,
// control batches) are private to its consumer. So that consumer runs, whole, once for each input: the broker serves
// the input at the first fetch, and the second fetch tells that all of it has been handed on.
package main

import (
	"log"
	"os"

	"github.com/IBM/sarama"
	"github.com/rcrowley/go-metrics"

	"kafkaconformance/adapter"
	"kafkaconformance/common"
)

func main() {
	metrics.UseNilMetrics = true // the meters of a broker outlive it, and there is a broker for each input
	if err := readHighest(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	hello := map[string]any{
		"protocol":   1,
		"name":       "sarama",
		"version":    common.VersionOf("github.com/IBM/sarama"),
		"language":   "Go",
		"formats":    []string{"v0", "v1", "v2"},
		"codecs":     []string{"none", "gzip", "snappy", "lz4", "zstd"},
		"fields":     []string{"offset", "timestamp", "key", "value", "headers"},
		"checks_crc": true,
		"directions": []string{"decode", "encode"},
		"url":        "https://github.com/IBM/sarama",
	}
	if len(highest) > 0 {
		hello["apis"] = map[string]string{"form": "verdict"}
	}
	adapter.Target{Hello: hello, Decode: decode, Encode: encode, Message: verdict}.Serve()
}

func decode(data []byte) (records []adapter.Record, err error) {
	consumer := <-consumers
	defer consumer.close()
	consumer.input <- data
	for {
		select {
		case message := <-consumer.Messages():
			records = append(records, answer(message))
		case failure := <-consumer.Errors():
			return records, failure.Err
		case <-consumer.done:
			for len(consumer.Messages()) > 0 {
				records = append(records, answer(<-consumer.Messages()))
			}
			return records, nil
		}
	}
}

func answer(message *sarama.ConsumerMessage) adapter.Record {
	answer := adapter.Record{Offset: message.Offset, Timestamp: -1, Key: message.Key, Value: message.Value}
	if !message.Timestamp.IsZero() {
		answer.Timestamp = message.Timestamp.UnixMilli()
	}
	for _, header := range message.Headers {
		answer.Headers = append(answer.Headers, [2][]byte{header.Key, header.Value})
	}
	return answer
}

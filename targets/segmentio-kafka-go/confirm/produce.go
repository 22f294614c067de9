// segmentio-kafka-go: what Writer.WriteMessages sends. Arguments: the broker's address, the topic, the records, the codec.
package main

import (
	"context"
	"os"

	"github.com/segmentio/kafka-go"
)

var codecs = map[string]kafka.Compression{"gzip": kafka.Gzip, "snappy": kafka.Snappy, "lz4": kafka.Lz4}

func main() {
	var messages []kafka.Message
	for _, one := range given(os.Args[3]) {
		messages = append(messages, kafka.Message{Time: one.timestamp, Key: one.key, Value: one.value})
	}
	writer := &kafka.Writer{
		Addr:         kafka.TCP(os.Args[1]),
		Topic:        os.Args[2],
		Compression:  codecs[os.Args[4]],
		BatchSize:    len(messages),
		RequiredAcks: kafka.RequireOne,
	}
	must(writer.WriteMessages(context.Background(), messages...))
	must(writer.Close())
}

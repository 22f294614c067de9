// franz-go: what Client.ProduceSync sends. Arguments: the broker's address, the topic, the records, the codec.
package main

import (
	"context"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kversion"
)

// linger is how long the producer waits for more records: they are to go out together.
const linger = 500 * time.Millisecond

var codecs = map[string]kgo.CompressionCodec{
	"gzip":   kgo.GzipCompression(),
	"snappy": kgo.SnappyCompression(),
	"lz4":    kgo.Lz4Compression(),
}

func main() {
	client, err := kgo.NewClient(
		kgo.SeedBrokers(os.Args[1]),
		kgo.MaxVersions(kversion.V0_10_0()),
		kgo.DisableIdempotentWrite(), // which came with 0.11
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(codecs[os.Args[4]]),
		kgo.ProducerLinger(linger),
	)
	must(err)
	var records []*kgo.Record
	for _, one := range given(os.Args[3]) {
		records = append(records, &kgo.Record{Topic: os.Args[2], Timestamp: one.timestamp, Key: one.key, Value: one.value})
	}
	must(client.ProduceSync(context.Background(), records...).FirstErr())
	client.Close()
}

// sarama: what SyncProducer.SendMessages sends.
// Arguments: the broker's address, the topic, the records, the codec, the release.
package main

import (
	"os"
	"time"

	"github.com/IBM/sarama"
)

// linger is how long the producer waits for more records: they are to go out together.
const linger = 500 * time.Millisecond

var codecs = map[string]sarama.CompressionCodec{
	"none": sarama.CompressionNone,
	"gzip": sarama.CompressionGZIP,
	"lz4":  sarama.CompressionLZ4,
}

func main() {
	records, release := given(os.Args[3]), os.Args[5]
	version, err := sarama.ParseKafkaVersion(release)
	must(err)
	config := sarama.NewConfig()
	config.Version = version
	config.ApiVersionsRequest = version.IsAtLeast(sarama.V0_10_0_0) // which came then
	config.Producer.Return.Successes = true
	config.Producer.Partitioner = sarama.NewManualPartitioner
	config.Producer.Flush.Messages, config.Producer.Flush.Frequency = len(records), linger
	config.Producer.Compression = codecs[os.Args[4]]
	producer, err := sarama.NewSyncProducer([]string{os.Args[1]}, config)
	if err != nil {
		showError(err)
		return
	}
	var messages []*sarama.ProducerMessage
	for _, one := range records {
		message := &sarama.ProducerMessage{Topic: os.Args[2], Timestamp: one.timestamp}
		if one.key != nil {
			message.Key = sarama.ByteEncoder(one.key)
		}
		if one.value != nil {
			message.Value = sarama.ByteEncoder(one.value)
		}
		messages = append(messages, message)
	}
	must(producer.SendMessages(messages))
	must(producer.Close())
}

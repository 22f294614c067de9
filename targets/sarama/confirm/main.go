// sarama: what Consumer.ConsumePartition gives. Arguments: the broker's address, the topic.
package main

import (
	"os"
	"time"

	"github.com/IBM/sarama"
)

func main() {
	config := sarama.NewConfig()
	config.Version = sarama.V0_11_0_0
	config.Consumer.Return.Errors = true
	consumer, err := sarama.NewConsumer([]string{os.Args[1]}, config)
	must(err)
	partition, err := consumer.ConsumePartition(os.Args[2], 0, 0)
	must(err)
	for {
		select {
		case m := <-partition.Messages():
			show(m.Offset, m.Timestamp, m.Key, m.Value)
		case err := <-partition.Errors():
			showError(err)
			return
		case <-time.After(quiet):
			return
		}
	}
}

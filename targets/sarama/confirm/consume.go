// sarama: what Consumer.ConsumePartition gives, and whether it asks on without end. Arguments: the broker's address,
// the topic, a file that is not read, the isolation level.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/IBM/sarama"
	"github.com/rcrowley/go-metrics"
)

const many = 1000 // an idle consumer waits for records, and makes some requests in the time

func main() {
	config := sarama.NewConfig()
	config.Version = sarama.V2_8_0_0
	config.Consumer.Return.Errors = true
	if os.Args[4] == "read_committed" {
		config.Consumer.IsolationLevel = sarama.ReadCommitted
	}
	consumer, err := sarama.NewConsumer([]string{os.Args[1]}, config)
	must(err)
	partition, err := consumer.ConsumePartition(os.Args[2], 0, sarama.OffsetOldest)
	must(err)
	ends := time.After(20 * time.Second)
	for {
		select {
		case m := <-partition.Messages():
			show(m.Offset, m.Timestamp, m.Key, m.Value)
		case err := <-partition.Errors():
			showError(err)
			return
		case <-time.After(100 * time.Millisecond):
			if requests(config) > many {
				fmt.Printf("%d requests, and nothing new\n", many)
				return
			}
		case <-ends:
			return
		}
	}
}

func requests(config *sarama.Config) int64 {
	return config.MetricRegistry.Get("request-rate").(metrics.Meter).Count()
}

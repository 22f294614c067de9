// kafka-go: what Reader.ReadMessage gives of a partition. Arguments: the broker's address, the topic.
package main

import (
	"context"
	"os"

	"github.com/segmentio/kafka-go"
)

func main() {
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers: []string{os.Args[1]}, Topic: os.Args[2], MaxWait: quiet / 10, MaxAttempts: 1,
	})
	for {
		patience, cancel := context.WithTimeout(context.Background(), quiet)
		m, err := reader.ReadMessage(patience)
		if patience.Err() != nil {
			return
		}
		cancel()
		if err != nil {
			showError(err)
			return
		}
		show(m.Offset, m.Time, m.Key, m.Value)
	}
}

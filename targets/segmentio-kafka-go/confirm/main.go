// kafka-go: what Reader.ReadMessage gives of a partition. Arguments: the broker's address, the topic.
// Most errors do not come from ReadMessage: the reader logs them and tries again for ever. It says so
// if there was neither a message nor an error.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/segmentio/kafka-go"
)

func main() {
	shown := false
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers: []string{os.Args[1]}, Topic: os.Args[2], MaxWait: quiet / 10, MaxAttempts: 1,
		ErrorLogger: kafka.LoggerFunc(showOnce(&shown)),
	})
	for ; ; shown = true {
		patience, cancel := context.WithTimeout(context.Background(), quiet)
		m, err := reader.ReadMessage(patience)
		if patience.Err() != nil {
			if !shown {
				fmt.Println("no message, and no error, in", quiet)
			}
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

// showOnce shows what is logged, and what is logged again and again one time.
func showOnce(shown *bool) func(string, ...interface{}) {
	last := ""
	return func(format string, values ...interface{}) {
		if words := fmt.Sprintf(format, values...); words != last {
			last, *shown = words, true
			showError(errors.New(words))
		}
	}
}

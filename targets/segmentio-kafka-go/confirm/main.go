// kafka-go: what Reader.ReadMessage gives of a partition. Arguments: the broker's address, the topic.
// Most errors do not come from ReadMessage: the reader logs them and tries again for ever. It says so
// if there was neither a message nor an error. It ends behind the last record below the high watermark.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/segmentio/kafka-go"
)

// first is how long the first message or error may take, also on a machine that is busy.
const first = 2 * quiet

func main() {
	shown := false
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers: []string{os.Args[1]}, Topic: os.Args[2], MaxWait: quiet / 10, MaxAttempts: 1,
		ErrorLogger: kafka.LoggerFunc(showOnce(&shown)),
	})
	for ; ; shown = true {
		wait := quiet
		if !shown {
			wait = first
		}
		patience, cancel := context.WithTimeout(context.Background(), wait)
		m, err := reader.ReadMessage(patience)
		if patience.Err() != nil {
			if !shown {
				fmt.Println("no message, and no error, in", wait)
			}
			return
		}
		cancel()
		if err != nil {
			showError(err)
			return
		}
		show(m.Offset, m.Time, m.Key, m.Value)
		if m.Offset+1 == m.HighWaterMark {
			return // what the reader logs while it waits at the end depends on how fast the machine is
		}
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

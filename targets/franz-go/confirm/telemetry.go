// franz-go: a client that lives for some seconds, and pushes what a broker wants to know of it. Arguments: the broker's
// address, the topic.
package main

import (
	"context"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const lasts = 3 * time.Second

func main() {
	offsets := map[string]map[int32]kgo.Offset{os.Args[2]: {0: kgo.NewOffset().At(0)}}
	client, err := kgo.NewClient(kgo.SeedBrokers(os.Args[1]), kgo.ConsumePartitions(offsets))
	must(err)
	patience, cancel := context.WithTimeout(context.Background(), lasts)
	defer cancel()
	for patience.Err() == nil {
		client.PollFetches(patience).EachRecord(func(r *kgo.Record) { show(r.Offset, r.Timestamp, r.Key, r.Value) })
	}
	client.Close()
}

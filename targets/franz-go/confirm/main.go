// franz-go: what Client.PollFetches gives of a partition. Arguments: the broker's address, the topic.
package main

import (
	"context"
	"os"

	"github.com/twmb/franz-go/pkg/kgo"
)

func main() {
	offsets := map[string]map[int32]kgo.Offset{os.Args[2]: {0: kgo.NewOffset().At(0)}}
	client, err := kgo.NewClient(kgo.SeedBrokers(os.Args[1]), kgo.ConsumePartitions(offsets))
	must(err)
	for {
		patience, cancel := context.WithTimeout(context.Background(), quiet)
		fetches := client.PollFetches(patience)
		fetches.EachRecord(func(r *kgo.Record) { show(r.Offset, r.Timestamp, r.Key, r.Value) })
		over := patience.Err() != nil
		cancel()
		if over {
			return
		}
		for _, failed := range fetches.Errors() {
			showError(failed.Err)
			return
		}
	}
}

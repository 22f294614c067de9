// franz-go: what Client.PollFetches gives a member of a group, and then it is closed. Arguments: the broker's address,
// the topic, a file that is not read, the isolation level, settings as name=value. It subscribes to `pulse`, too.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const lasts = 4 * time.Second

func main() {
	settings := map[string]string{}
	for _, pair := range os.Args[5:] {
		name, value, _ := strings.Cut(pair, "=")
		settings[name] = value
	}
	options := []kgo.Opt{kgo.SeedBrokers(os.Args[1]), kgo.ConsumeTopics(os.Args[2], "pulse"), kgo.MetadataMinAge(100 * time.Millisecond)}
	if settings["protocol"] == "share" {
		options = append(options, kgo.ShareGroup(settings["group"]))
	} else {
		often := 100 * time.Millisecond
		options = append(options, kgo.ConsumerGroup(settings["group"]), kgo.HeartbeatInterval(often), kgo.AutoCommitInterval(often),
			kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	}
	if _, has := settings["callback"]; has {
		options = append(options, told("revoked", kgo.OnPartitionsRevoked), told("lost", kgo.OnPartitionsLost))
	}
	if settings["protocol"] == "consumer" {
		options = append(options, kgo.WithContext(context.WithValue(context.Background(), "opt_in_kafka_next_gen_balancer_beta", true)))
	}
	if settings["instance"] != "" {
		options = append(options, kgo.InstanceID(settings["instance"]))
	}
	client, err := kgo.NewClient(options...)
	must(err)
	patience, cancel := context.WithTimeout(context.Background(), lasts)
	defer cancel()
	for patience.Err() == nil {
		fetches := client.PollFetches(patience)
		fetches.EachRecord(func(r *kgo.Record) { show(r.Offset, r.Timestamp, r.Key, r.Value) })
		for _, failed := range fetches.Errors() {
			if patience.Err() == nil {
				showError(failed.Err)
			}
		}
	}
	client.Close()
}

// told shows what the application is told of partitions, as long as the program has not come to its end.
func told(what string, on func(func(context.Context, *kgo.Client, map[string][]int32)) kgo.GroupOpt) kgo.Opt {
	return on(func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
		fmt.Println(what, slices.Sorted(maps.Keys(partitions)))
	})
}

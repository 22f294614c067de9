// kfake: what its broker answers to requests. Argument: the id of the scenario that they are of.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

func main() {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "t"))
	must(err)
	defer cluster.Close()
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...))
	must(err)
	defer client.Close()
	ask[os.Args[1]](client)
}

var ask = map[string]func(*kgo.Client){
	"scenario/topics/empty-name":          func(client *kgo.Client) { create(client, "") },
	"scenario/topics/name-with-a-blank":   func(client *kgo.Client) { create(client, "two words") },
	"scenario/topics/name-too-long":       func(client *kgo.Client) { create(client, strings.Repeat("n", 250)) },
	"scenario/topics/unknown-config":      func(client *kgo.Client) { create(client, "n", "no.such.setting", "1") },
	"scenario/topics/negative-partitions": func(client *kgo.Client) { createOf(client, "n", -2) },
	"scenario/offsets/unknown-group":      fetchOffsets,
	"scenario/cluster/reassign":           reassign,
}

func create(client *kgo.Client, name string, settings ...string) {
	createOf(client, name, 1, settings...)
}

func createOf(client *kgo.Client, name string, partitions int32, settings ...string) {
	topic := kmsg.NewCreateTopicsRequestTopic()
	topic.Topic, topic.NumPartitions, topic.ReplicationFactor = name, partitions, 1
	if len(settings) > 0 {
		setting := kmsg.NewCreateTopicsRequestTopicConfig()
		setting.Name, setting.Value = settings[0], &settings[1]
		topic.Configs = append(topic.Configs, setting)
	}
	request := kmsg.NewPtrCreateTopicsRequest()
	request.TimeoutMillis, request.Topics = 5000, append(request.Topics, topic)
	answer, err := request.RequestWith(context.Background(), client)
	must(err)
	fmt.Println("CreateTopics:", nameOf(answer.Topics[0].ErrorCode))
}

func fetchOffsets(client *kgo.Client) {
	group := kmsg.NewOffsetFetchRequestGroup()
	group.Group = "g"
	request := kmsg.NewPtrOffsetFetchRequest()
	request.Groups = append(request.Groups, group)
	answer, err := request.RequestWith(context.Background(), client)
	must(err)
	fmt.Println("OffsetFetch:", nameOf(answer.Groups[0].ErrorCode))
}

func reassign(client *kgo.Client) {
	partition := kmsg.NewAlterPartitionAssignmentsRequestTopicPartition()
	partition.Replicas = []int32{1999}
	topic := kmsg.NewAlterPartitionAssignmentsRequestTopic()
	topic.Topic, topic.Partitions = "t", append(topic.Partitions, partition)
	request := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	request.TimeoutMillis, request.Topics = 5000, append(request.Topics, topic)
	answer, err := request.RequestWith(context.Background(), client)
	must(err)
	fmt.Println("AlterPartitionReassignments:", nameOf(answer.Topics[0].Partitions[0].ErrorCode))
}

func nameOf(code int16) string {
	if code == 0 {
		return "NONE"
	}
	return kerr.TypedErrorForCode(code).Message
}

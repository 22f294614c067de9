// kfake: what its broker makes of the bytes of a vector. Argument: a file with what a producer sends.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

func main() {
	data, err := os.ReadFile(os.Args[1])
	must(err)
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "t6", "t9"))
	must(err)
	defer cluster.Close()
	send(cluster, "t6", kversion.V2_0_0(), data)
	send(cluster, "t9", kversion.V3_0_0(), data)
}

// Send the bytes with the newest Produce of a release, and fetch them, if they were appended.
func send(cluster *kfake.Cluster, topic string, release *kversion.Versions, data []byte) {
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.MaxVersions(release))
	must(err)
	defer client.Close()
	produce := kmsg.NewPtrProduceRequest()
	produce.Acks, produce.TimeoutMillis = 1, 5000
	partition := kmsg.NewProduceRequestTopicPartition()
	partition.Records = data
	of := kmsg.NewProduceRequestTopic()
	of.Topic, of.Partitions = topic, []kmsg.ProduceRequestTopicPartition{partition}
	produce.Topics = append(produce.Topics, of)
	answer, err := produce.RequestWith(context.Background(), client)
	must(err)
	row := answer.Topics[0].Partitions[0]
	if row.ErrorCode != 0 {
		fmt.Printf("Produce %d: %s\n", answer.Version, kerr.TypedErrorForCode(row.ErrorCode).Message)
		return
	}
	var batch kmsg.RecordBatch
	must(batch.ReadFrom(fetch(client, topic)))
	stamp := fmt.Sprint(batch.MaxTimestamp)
	if time.Since(time.UnixMilli(batch.MaxTimestamp)) < time.Minute {
		stamp = "now"
	}
	fmt.Printf("Produce %d: appended, attributes=%d max_timestamp=%s\n", answer.Version, batch.Attributes, stamp)
}

func fetch(client *kgo.Client, topic string) []byte {
	request := kmsg.NewPtrFetchRequest()
	request.MaxWaitMillis, request.MinBytes, request.MaxBytes = 100, 1, 1<<20
	partition := kmsg.NewFetchRequestTopicPartition()
	partition.PartitionMaxBytes = 1 << 20
	of := kmsg.NewFetchRequestTopic()
	of.Topic, of.Partitions = topic, []kmsg.FetchRequestTopicPartition{partition}
	request.Topics = append(request.Topics, of)
	answer, err := request.RequestWith(context.Background(), client)
	must(err)
	return answer.Topics[0].Partitions[0].RecordBatches
}

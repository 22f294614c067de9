// Writes a transaction with franz-go, and reads it as a member of groups of both protocols: franz_go_session HOST:PORT.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const topic = "orders-franz-go"

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	address := os.Args[1]
	write(ctx, address)
	read(ctx, address, "classic", kgo.InstanceID("franz-go-1"))
	next := context.WithValue(ctx, "opt_in_kafka_next_gen_balancer_beta", true) //nolint:staticcheck // its name for it
	read(next, address, "consumer", kgo.WithContext(next))
	pass(ctx, address)
	describe(ctx, address)
}

func connect(address string, options ...kgo.Opt) *kgo.Client {
	usual := []kgo.Opt{kgo.SeedBrokers(address), kgo.ClientID("franz-go"), kgo.AllowAutoTopicCreation()}
	client, err := kgo.NewClient(append(usual, options...)...)
	if err != nil {
		panic(err)
	}
	return client
}

func write(ctx context.Context, address string) {
	client := connect(address, kgo.TransactionalID("tx-franz-go"))
	defer client.Close()
	for _, commit := range []kgo.TransactionEndTry{kgo.TryAbort, kgo.TryCommit} {
		tell("begin", client.BeginTransaction())
		tell("send", client.ProduceSync(ctx, &kgo.Record{Topic: topic, Key: []byte("k1"), Value: []byte("order 1")}).FirstErr())
		tell("end", client.EndTransaction(ctx, commit))
	}
}

func read(ctx context.Context, address, group string, option kgo.Opt) {
	client := connect(
		address, kgo.ConsumerGroup("group-franz-go-"+group), kgo.ConsumeTopics(topic), kgo.DisableAutoCommit(), option,
		kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.HeartbeatInterval(time.Second),
	)
	limited, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	fetches := client.PollFetches(limited)
	tell("read", fetches.Err())
	time.Sleep(3 * time.Second) // for heartbeats
	tell("commit", client.CommitRecords(ctx, fetches.Records()...))
	_, err := client.CommittedOffsets(), client.LeaveGroupContext(ctx)
	tell("leave", err)
	client.Close()
}

// pass reads, writes and commits in one transaction.
func pass(ctx context.Context, address string) {
	session, err := kgo.NewGroupTransactSession(
		kgo.SeedBrokers(address), kgo.ClientID("franz-go-pass"), kgo.TransactionalID("tx-franz-go-pass"),
		kgo.ConsumerGroup("group-franz-go-pass"), kgo.ConsumeTopics(topic), kgo.RequireStableFetchOffsets(),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()),
	)
	if err != nil {
		panic(err)
	}
	defer session.Close()
	limited, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	session.PollFetches(limited)
	tell("begin", session.Begin())
	tell("send", session.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: []byte("passed on")}).FirstErr())
	_, err = session.End(ctx, kgo.TryCommit)
	tell("end", err)
}

// describe asks for what has no call of its own, with the requests of kmsg.
func describe(ctx context.Context, address string) {
	client := connect(address)
	defer client.Close()
	groups := kmsg.NewDescribeGroupsRequest()
	groups.Groups = []string{"group-franz-go-classic"}
	listed := kmsg.NewListOffsetsRequest()
	partition := kmsg.NewListOffsetsRequestTopicPartition()
	partition.Timestamp = -1
	listed.Topics = append(listed.Topics, kmsg.ListOffsetsRequestTopic{Topic: topic, Partitions: []kmsg.ListOffsetsRequestTopicPartition{partition}})
	epochs := kmsg.NewOffsetForLeaderEpochRequest()
	epochs.ReplicaID = -1
	epoch := kmsg.NewOffsetForLeaderEpochRequestTopicPartition()
	epochs.Topics = append(epochs.Topics, kmsg.OffsetForLeaderEpochRequestTopic{Topic: topic, Partitions: []kmsg.OffsetForLeaderEpochRequestTopicPartition{epoch}})
	all := kmsg.NewListGroupsRequest()
	for _, request := range []kmsg.Request{&groups, &listed, &epochs, &all} {
		_, err := client.Request(ctx, request)
		tell(kmsg.NameForKey(request.Key()), err)
	}
}

func tell(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "  %s: %v\n", what, err)
	}
}

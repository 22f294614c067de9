// sarama: what a member of a group gets from ConsumerGroup.Consume, and then it is closed. Arguments: the broker's
// address, the topic, a file that is not read, the isolation level, settings as name=value: `group`.
package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/IBM/sarama"
)

const lasts = 3 * time.Second

type member struct{}

func (member) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (member) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (member) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		show(m.Offset, m.Timestamp, m.Key, m.Value)
		session.MarkMessage(m, "")
	}
	return nil
}

func main() {
	settings := map[string]string{}
	for _, pair := range os.Args[5:] {
		name, value, _ := strings.Cut(pair, "=")
		settings[name] = value
	}
	config := sarama.NewConfig()
	config.Version = sarama.V2_8_0_0
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	config.Consumer.Offsets.AutoCommit.Interval = 100 * time.Millisecond
	config.Consumer.Group.Heartbeat.Interval = 100 * time.Millisecond
	group, err := sarama.NewConsumerGroup([]string{os.Args[1]}, settings["group"], config)
	must(err)
	patience, cancel := context.WithTimeout(context.Background(), lasts)
	defer cancel()
	for patience.Err() == nil {
		must(group.Consume(patience, []string{os.Args[2], "pulse"}, member{}))
	}
	must(group.Close())
}

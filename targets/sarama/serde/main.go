// Sarama's readers of what members of groups tell, behind adapter protocol 1.
package main

import (
	"encoding/hex"
	"errors"
	"sort"

	"github.com/IBM/sarama"

	"kafkaconformance/adapter/serde"
	"kafkaconformance/common"
)

type fields = map[string]any

func octets(data []byte) any {
	if data == nil {
		return nil
	}
	return hex.EncodeToString(data)
}

func topic(name string, partitions []int32) fields {
	return fields{"topic": name, "partitions": append([]int32{}, partitions...)}
}

func subscription(data []byte) (fields, error) {
	read, err := (&sarama.GroupMemberDescription{MemberMetadata: data}).GetMemberMetadata()
	if err != nil || read == nil {
		return nil, errors.Join(err, errors.New("nothing was read"))
	}
	found := fields{"version": read.Version, "topics": append([]string{}, read.Topics...), "userData": octets(read.UserData)}
	if read.Version >= 1 {
		owned := []fields{}
		for _, of := range read.OwnedPartitions {
			owned = append(owned, topic(of.Topic, of.Partitions))
		}
		found["ownedPartitions"] = owned
	}
	if read.Version >= 2 {
		found["generationId"] = read.GenerationID
	}
	if read.Version >= 3 {
		found["rackId"] = read.RackID
	}
	return found, nil
}

// assignment gives topics by their names: Sarama has them in a map.
func assignment(data []byte) (fields, error) {
	read, err := (&sarama.GroupMemberDescription{MemberAssignment: data}).GetMemberAssignment()
	if err != nil || read == nil {
		return nil, errors.Join(err, errors.New("nothing was read"))
	}
	assigned := []fields{}
	for name, partitions := range read.Topics {
		assigned = append(assigned, topic(name, partitions))
	}
	sort.Slice(assigned, func(i, j int) bool { return assigned[i]["topic"].(string) < assigned[j]["topic"].(string) })
	return fields{"version": read.Version, "assignedPartitions": assigned, "userData": octets(read.UserData)}, nil
}

func main() {
	readers := map[string]func([]byte) (fields, error){
		"consumer-protocol-subscription": subscription, "consumer-protocol-assignment": assignment,
	}
	serdes := map[string][]string{"consumer-protocol-subscription": {"value"}, "consumer-protocol-assignment": {"value"}}
	version := common.VersionOf("github.com/IBM/sarama")
	serde.Serve("sarama", version, serdes, func(question serde.Question) (serde.Answer, error) {
		value, err := readers[question.Content](question.Data)
		if err != nil {
			return nil, err
		}
		return serde.Answer{"value": value}, nil
	})
}

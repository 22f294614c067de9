// Sarama's readers of what members of groups tell, behind adapter protocol 1.
package main

import (
	"encoding/hex"
	"errors"
	"sort"
	_ "unsafe" // for linkname

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
	return fields{"version": read.Version, "assignedPartitions": byName(read.Topics), "userData": octets(read.UserData)}, nil
}

// deserialize is what the leader of a group calls with what each sticky member told; it has no public name.
//
//go:linkname deserialize github.com/IBM/sarama.deserializeTopicPartitionAssignment
func deserialize(data []byte) (sarama.StickyAssignorUserData, error)

func sticky(data []byte) (fields, error) {
	read, err := deserialize(data)
	if err != nil {
		return nil, err
	}
	found, topics := fields{}, map[string][]int32{}
	switch told := read.(type) {
	case *sarama.StickyAssignorUserDataV0:
		topics = told.Topics
	case *sarama.StickyAssignorUserDataV1:
		topics, found["generation"] = told.Topics, told.Generation
	}
	found["previous_assignment"] = byName(topics)
	return found, nil
}

// byName gives topics, which Sarama has in a map, in the order of their names.
func byName(topics map[string][]int32) []fields {
	found := []fields{}
	for name, partitions := range topics {
		found = append(found, topic(name, partitions))
	}
	sort.Slice(found, func(i, j int) bool { return found[i]["topic"].(string) < found[j]["topic"].(string) })
	return found
}

func main() {
	readers := map[string]func([]byte) (fields, error){
		"consumer-protocol-subscription": subscription, "consumer-protocol-assignment": assignment,
		"sticky-user-data": sticky,
	}
	serdes := map[string][]string{}
	for kind := range readers {
		serdes[kind] = []string{"value"}
	}
	version := common.VersionOf("github.com/IBM/sarama")
	serde.Serve("sarama", version, serdes, func(question serde.Question) (serde.Answer, error) {
		value, err := readers[question.Content](question.Data)
		if err != nil {
			return nil, err
		}
		return serde.Answer{"value": value}, nil
	})
}

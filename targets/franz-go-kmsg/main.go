// kmsg's types for what members of groups tell and what is committed, behind adapter protocol 1.
package main

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

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

func long(number int64) string {
	return strconv.FormatInt(number, 10)
}

// items gives none as an empty list.
func items[T any](found []T) []T {
	return append([]T{}, found...)
}

func list[T any](all []T, shown func(T) fields) []fields {
	found := []fields{}
	for _, item := range all {
		found = append(found, shown(item))
	}
	return found
}

func subscription(data []byte) (fields, error) {
	var read kmsg.ConsumerMemberMetadata
	err := read.ReadFrom(data)
	found := fields{"version": read.Version, "topics": items(read.Topics), "userData": octets(read.UserData)}
	if read.Version >= 1 {
		found["ownedPartitions"] = list(read.OwnedPartitions, func(of kmsg.ConsumerMemberMetadataOwnedPartition) fields {
			return fields{"topic": of.Topic, "partitions": items(of.Partitions)}
		})
	}
	if read.Version >= 2 {
		found["generationId"] = read.Generation
	}
	if read.Version >= 3 {
		found["rackId"] = read.Rack
	}
	return found, err
}

func assignment(data []byte) (fields, error) {
	var read kmsg.ConsumerMemberAssignment
	err := read.ReadFrom(data)
	partitions := list(read.Topics, func(of kmsg.ConsumerMemberAssignmentTopic) fields {
		return fields{"topic": of.Topic, "partitions": items(of.Partitions)}
	})
	return fields{"version": read.Version, "assignedPartitions": partitions, "userData": octets(read.UserData)}, err
}

func connectMetadata(data []byte) (fields, error) {
	var read kmsg.ConnectMemberMetadata
	err := read.ReadFrom(data)
	found := fields{"version": read.Version, "url": read.URL, "config-offset": long(read.ConfigOffset)}
	if read.Version >= 1 {
		found["allocation"] = octets(read.CurrentAssignment)
	}
	return found, err
}

func connectAssignment(data []byte) (fields, error) {
	var read kmsg.ConnectMemberAssignment
	err := read.ReadFrom(data)
	found := fields{"version": read.Version, "error": read.Error, "leader": read.Leader, "leader-url": read.LeaderURL,
		"config-offset": long(read.ConfigOffset)}
	found["assignment"] = list(read.Assignment, func(of kmsg.ConnectMemberAssignmentAssignment) fields {
		return fields{"connector": of.Connector, "tasks": items(of.Tasks)}
	})
	if read.Version >= 1 {
		found["revoked"] = list(read.Revoked, func(of kmsg.ConnectMemberAssignmentRevoked) fields {
			return fields{"connector": of.Connector, "tasks": items(of.Tasks)}
		})
		found["delay"] = read.ScheduledDelay
	}
	return found, err
}

func sticky(data []byte) (fields, error) {
	read := kmsg.NewStickyMemberMetadata()
	err := read.ReadFrom(data)
	previous := list(read.CurrentAssignment, func(of kmsg.StickyMemberMetadataCurrentAssignment) fields {
		return fields{"topic": of.Topic, "partitions": items(of.Partitions)}
	})
	return fields{"previous_assignment": previous, "generation": read.Generation}, err
}

func offset(data []byte) (fields, error) {
	read := kmsg.NewOffsetCommitValue()
	err := read.ReadFrom(data)
	found := fields{"version": read.Version, "offset": long(read.Offset), "metadata": read.Metadata,
		"commitTimestamp": long(read.CommitTimestamp)}
	if read.Version == 1 {
		found["expireTimestamp"] = long(read.ExpireTimestamp)
	}
	if read.Version >= 3 {
		found["leaderEpoch"] = read.LeaderEpoch
	}
	if read.Version >= 4 {
		found["topicId"] = octets(read.TopicID[:])
	}
	return found, err
}

func group(data []byte) (fields, error) {
	read := kmsg.NewGroupMetadataValue()
	err := read.ReadFrom(data)
	found := fields{"version": read.Version, "protocolType": read.ProtocolType, "generation": read.Generation,
		"protocol": read.Protocol, "leader": read.Leader}
	if read.Version >= 2 {
		found["currentStateTimestamp"] = long(read.CurrentStateTimestamp)
	}
	found["members"] = list(read.Members, func(of kmsg.GroupMetadataValueMember) fields {
		member := fields{"memberId": of.MemberID, "clientId": of.ClientID, "clientHost": of.ClientHost,
			"sessionTimeout": of.SessionTimeoutMillis, "subscription": octets(of.Subscription),
			"assignment": octets(of.Assignment)}
		if read.Version >= 1 {
			member["rebalanceTimeout"] = of.RebalanceTimeoutMillis
		}
		if read.Version >= 3 {
			member["groupInstanceId"] = of.InstanceID
		}
		return member
	})
	return found, err
}

var readers = map[string]func([]byte) (fields, error){
	"consumer-protocol-subscription": subscription, "consumer-protocol-assignment": assignment,
	"connect-worker-metadata": connectMetadata, "connect-worker-assignment": connectAssignment,
	"sticky-user-data": sticky, "offset-commit-value": offset, "group-metadata-value": group,
}

func main() {
	serdes := map[string][]string{}
	for kind := range readers {
		serdes[kind] = []string{"value"}
	}
	version := common.VersionOf("github.com/twmb/franz-go/pkg/kmsg")
	serde.Serve("franz-go-kmsg", version, serdes, func(question serde.Question) (serde.Answer, error) {
		value, err := readers[question.Content](question.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", question.Content, err)
		}
		return serde.Answer{"value": value}, nil
	})
}

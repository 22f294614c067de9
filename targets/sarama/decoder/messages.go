package main

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/IBM/sarama"
)

// call is how a user of sarama gets the response of an API: a method of Broker, and the highest version that the library
// says to be valid of its request (isValidVersion, which is private). Fetch is left out: it reads the records as well.
type call struct {
	method  string
	highest int16
}

var calls = map[int16]call{
	0: {"Produce", 10}, 2: {"GetAvailableOffsets", 6}, 3: {"GetMetadata", 11}, 8: {"CommitOffset", 8},
	9: {"FetchOffset", 8}, 10: {"FindCoordinator", 3}, 11: {"JoinGroup", 8}, 12: {"Heartbeat", 4}, 13: {"LeaveGroup", 5},
	14: {"SyncGroup", 5}, 15: {"DescribeGroups", 5}, 16: {"ListGroups", 5}, 18: {"ApiVersions", 4},
	19: {"CreateTopics", 7}, 20: {"DeleteTopics", 6}, 21: {"DeleteRecords", 2}, 22: {"InitProducerID", 4},
	24: {"AddPartitionsToTxn", 3}, 25: {"AddOffsetsToTxn", 3}, 26: {"EndTxn", 3}, 28: {"TxnOffsetCommit", 3},
	29: {"DescribeAcls", 2}, 30: {"CreateAcls", 2}, 31: {"DeleteAcls", 2}, 32: {"DescribeConfigs", 4},
	33: {"AlterConfigs", 2}, 35: {"DescribeLogDirs", 4}, 37: {"CreatePartitions", 3}, 42: {"DeleteGroups", 2},
	43: {"ElectLeaders", 2}, 44: {"IncrementalAlterConfigs", 1}, 45: {"AlterPartitionReassignments", 0},
	46: {"ListPartitionReassignments", 0}, 47: {"DeleteOffsets", 0}, 48: {"DescribeClientQuotas", 1},
	49: {"AlterClientQuotas", 1}, 50: {"DescribeUserScramCredentials", 0}, 51: {"AlterUserScramCredentials", 0},
	57: {"UpdateFeatures", 0}, 60: {"DescribeCluster", 2}, 61: {"DescribeProducers", 0}, 65: {"DescribeTransactions", 0},
	66: {"ListTransactions", 1}, 69: {"ConsumerGroupDescribe", 1},
}

const correlationSize = 4 // the connection writes the number of the request in front of each response

// verdict says whether sarama takes a response (kind 1), as the answer to a request of its own in that version. The
// values are not compared: their names are the library's, and many fields are private.
func verdict(kind int8, api, version int16, data []byte) ([]byte, error) {
	called, known := calls[api]
	if kind != 1 {
		return nil, fmt.Errorf("%w: it only writes requests", errors.ErrUnsupported)
	}
	if !known || version > called.highest {
		return nil, fmt.Errorf("%w: no version %d of API %d", errors.ErrUnsupported, version, api)
	}
	sent := int16(-1)
	answer := func(_, version int16, _ []byte) []byte {
		sent = version
		return data[min(correlationSize, len(data)):]
	}
	config := sarama.NewConfig()
	config.Version = sarama.MaxVersion
	cluster, err := connect(config, answer)
	if err != nil {
		return nil, err
	}
	defer cluster.broker.Close()
	err = ask(cluster.broker, called.method, version)
	if sent != version {
		return nil, fmt.Errorf("%w: sent version %d: %v", errors.ErrUnsupported, sent, err)
	}
	if code := sarama.KError(0); errors.As(err, &code) { // what the response says, not how it is read
		err = nil
	}
	return []byte{}, err
}

// ask sends the smallest request of a version.
func ask(broker *sarama.Broker, name string, version int16) error {
	method := reflect.ValueOf(broker).MethodByName(name)
	request := reflect.New(method.Type().In(0).Elem())
	request.Elem().FieldByName("Version").SetInt(int64(version))
	if produce, is := request.Interface().(*sarama.ProduceRequest); is {
		produce.RequiredAcks = sarama.WaitForAll // else there is no response
	}
	results := method.Call([]reflect.Value{request})
	err, _ := results[1].Interface().(error)
	return err
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/IBM/sarama"
)

// methods are those of Broker by which a user of sarama gets the response of an API. Fetch is left out: it reads the
// records as well. Older releases lack some.
var methods = map[int16]string{
	0: "Produce", 2: "GetAvailableOffsets", 3: "GetMetadata", 8: "CommitOffset", 9: "FetchOffset",
	10: "FindCoordinator", 11: "JoinGroup", 12: "Heartbeat", 13: "LeaveGroup", 14: "SyncGroup", 15: "DescribeGroups",
	16: "ListGroups", 18: "ApiVersions", 19: "CreateTopics", 20: "DeleteTopics", 21: "DeleteRecords",
	22: "InitProducerID", 24: "AddPartitionsToTxn", 25: "AddOffsetsToTxn", 26: "EndTxn", 28: "TxnOffsetCommit",
	29: "DescribeAcls", 30: "CreateAcls", 31: "DeleteAcls", 32: "DescribeConfigs", 33: "AlterConfigs",
	35: "DescribeLogDirs", 37: "CreatePartitions", 42: "DeleteGroups", 43: "ElectLeaders",
	44: "IncrementalAlterConfigs", 45: "AlterPartitionReassignments", 46: "ListPartitionReassignments",
	47: "DeleteOffsets", 48: "DescribeClientQuotas", 49: "AlterClientQuotas", 50: "DescribeUserScramCredentials",
	51: "AlterUserScramCredentials", 57: "UpdateFeatures", 60: "DescribeCluster", 61: "DescribeProducers",
	65: "DescribeTransactions", 66: "ListTransactions", 69: "ConsumerGroupDescribe",
}

// highest is the highest version that this release says to be valid, by the type of the request (see ../versions).
// Releases before 1.41 say it of none.
var highest = map[string]int16{}

func readHighest(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &highest)
}

const correlationSize = 4 // the connection writes the number of the request in front of each response

// verdict says whether sarama takes a response (kind 1), as the answer to a request of its own in that version. The
// values are not compared: their names are the library's, and many fields are private.
func verdict(kind int8, api, version int16, data []byte) ([]byte, error) {
	if kind != 1 {
		return nil, fmt.Errorf("%w: it only writes requests", errors.ErrUnsupported)
	}
	method, known := reflect.TypeFor[*sarama.Broker]().MethodByName(methods[api])
	if !known {
		return nil, fmt.Errorf("%w: no API %d", errors.ErrUnsupported, api)
	}
	request := method.Type.In(1).Elem() // after the broker
	if most, says := highest[request.Name()]; !says || version > most {
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
	err = ask(cluster.broker, method.Func, request, version)
	if sent != version {
		return nil, fmt.Errorf("%w: sent version %d: %v", errors.ErrUnsupported, sent, err)
	}
	if code := sarama.KError(0); errors.As(err, &code) { // what the response says, not how it is read
		err = nil
	}
	return []byte{}, err
}

// ask sends the smallest request of a version.
func ask(broker *sarama.Broker, method reflect.Value, kind reflect.Type, version int16) error {
	request := reflect.New(kind)
	request.Elem().FieldByName("Version").SetInt(int64(version))
	if produce, is := request.Interface().(*sarama.ProduceRequest); is {
		produce.RequiredAcks = sarama.WaitForAll // else there is no response
	}
	results := method.Call([]reflect.Value{reflect.ValueOf(broker), request})
	err, _ := results[1].Interface().(error)
	return err
}

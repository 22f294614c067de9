package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/segmentio/kafka-go/protocol"

	// Each package has the types of one API.
	_ "github.com/segmentio/kafka-go/protocol/addoffsetstotxn"
	_ "github.com/segmentio/kafka-go/protocol/addpartitionstotxn"
	_ "github.com/segmentio/kafka-go/protocol/alterclientquotas"
	_ "github.com/segmentio/kafka-go/protocol/alterconfigs"
	_ "github.com/segmentio/kafka-go/protocol/alterpartitionreassignments"
	_ "github.com/segmentio/kafka-go/protocol/alteruserscramcredentials"
	_ "github.com/segmentio/kafka-go/protocol/apiversions"
	_ "github.com/segmentio/kafka-go/protocol/createacls"
	_ "github.com/segmentio/kafka-go/protocol/createpartitions"
	_ "github.com/segmentio/kafka-go/protocol/createtopics"
	_ "github.com/segmentio/kafka-go/protocol/deleteacls"
	_ "github.com/segmentio/kafka-go/protocol/deletegroups"
	_ "github.com/segmentio/kafka-go/protocol/deletetopics"
	_ "github.com/segmentio/kafka-go/protocol/describeacls"
	_ "github.com/segmentio/kafka-go/protocol/describeclientquotas"
	_ "github.com/segmentio/kafka-go/protocol/describeconfigs"
	_ "github.com/segmentio/kafka-go/protocol/describegroups"
	_ "github.com/segmentio/kafka-go/protocol/describeuserscramcredentials"
	_ "github.com/segmentio/kafka-go/protocol/electleaders"
	_ "github.com/segmentio/kafka-go/protocol/endtxn"
	_ "github.com/segmentio/kafka-go/protocol/fetch"
	_ "github.com/segmentio/kafka-go/protocol/findcoordinator"
	_ "github.com/segmentio/kafka-go/protocol/heartbeat"
	_ "github.com/segmentio/kafka-go/protocol/incrementalalterconfigs"
	_ "github.com/segmentio/kafka-go/protocol/initproducerid"
	_ "github.com/segmentio/kafka-go/protocol/joingroup"
	_ "github.com/segmentio/kafka-go/protocol/leavegroup"
	_ "github.com/segmentio/kafka-go/protocol/listgroups"
	_ "github.com/segmentio/kafka-go/protocol/listoffsets"
	_ "github.com/segmentio/kafka-go/protocol/listpartitionreassignments"
	_ "github.com/segmentio/kafka-go/protocol/metadata"
	_ "github.com/segmentio/kafka-go/protocol/offsetcommit"
	_ "github.com/segmentio/kafka-go/protocol/offsetdelete"
	_ "github.com/segmentio/kafka-go/protocol/offsetfetch"
	_ "github.com/segmentio/kafka-go/protocol/produce"
	_ "github.com/segmentio/kafka-go/protocol/saslauthenticate"
	_ "github.com/segmentio/kafka-go/protocol/saslhandshake"
	_ "github.com/segmentio/kafka-go/protocol/syncgroup"
	_ "github.com/segmentio/kafka-go/protocol/txnoffsetcommit"
)

const sizeOfSize = 4

func init() {
	target.Hello["apis"] = map[string]string{"form": "bytes"}
	target.Message = rewrite
}

// untyped has the APIs that the package has a name for and no types. Reading one panics in apiType.minVersion.
var untyped = map[protocol.ApiKey]bool{
	protocol.LeaderAndIsr:            true,
	protocol.StopReplica:             true,
	protocol.UpdateMetadata:          true,
	protocol.ControlledShutdown:      true,
	protocol.DeleteRecords:           true,
	protocol.OffsetForLeaderEpoch:    true,
	protocol.WriteTxnMarkers:         true,
	protocol.AlterReplicaLogDirs:     true,
	protocol.DescribeLogDirs:         true,
	protocol.CreateDelegationToken:   true,
	protocol.RenewDelegationToken:    true,
	protocol.ExpireDelegationToken:   true,
	protocol.DescribeDelegationToken: true,
}

// rewrite reads a request (kind 0) or response with kafka-go's package protocol, and writes it again.
func rewrite(kind int8, api, version int16, data []byte) ([]byte, error) {
	if key := protocol.ApiKey(api); key == protocol.Produce || key == protocol.Fetch {
		return nil, fmt.Errorf("%w: it reads the records of %s, and writes them anew", errors.ErrUnsupported, key)
	}
	if untyped[protocol.ApiKey(api)] {
		return nil, fmt.Errorf("%w: no types of %s", errors.ErrUnsupported, protocol.ApiKey(api))
	}
	frame := bytes.NewReader(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...))
	written := new(bytes.Buffer)
	var err error
	if kind == 0 {
		err = rewriteRequest(frame, written)
	} else {
		err = rewriteResponse(frame, written, protocol.ApiKey(api), version)
	}
	if err != nil && strings.HasPrefix(err.Error(), "unsupported ") { // an API or a version; it has no error of its own
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	if err != nil {
		return nil, err
	}
	return written.Bytes()[sizeOfSize:], nil
}

func rewriteRequest(frame *bytes.Reader, written *bytes.Buffer) error {
	version, correlation, client, message, err := protocol.ReadRequest(frame)
	if err != nil {
		return err
	}
	return protocol.WriteRequest(written, version, correlation, client, message)
}

func rewriteResponse(frame *bytes.Reader, written *bytes.Buffer, api protocol.ApiKey, version int16) error {
	correlation, message, err := protocol.ReadResponse(frame, api, version)
	if err != nil {
		return err
	}
	return protocol.WriteResponse(written, version, correlation, message)
}

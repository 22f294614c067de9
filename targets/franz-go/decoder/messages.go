package main

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const apiVersions = 18

// message is what the requests and responses of kmsg have in common.
type message interface {
	MaxVersion() int16
	SetVersion(int16)
	IsFlexible() bool
	ReadFrom([]byte) error
	AppendTo([]byte) []byte
}

// rewrite reads the body of a request (kind 0) or response with kmsg, and writes it again. kmsg has no types for
// headers: the client reads them with kbin, as this does, and they stay as they are.
func rewrite(kind int8, api, version int16, data []byte) ([]byte, error) {
	body := bodyOf(kind, api)
	if body == nil {
		return nil, fmt.Errorf("%w: no API %d", errors.ErrUnsupported, api)
	}
	if version < 0 || version > body.MaxVersion() {
		return nil, fmt.Errorf("%w: no version %d", errors.ErrUnsupported, version)
	}
	body.SetVersion(version)
	head, err := headerSize(kind, api, version, body.IsFlexible(), data)
	if err != nil {
		return nil, err
	}
	if err := body.ReadFrom(data[head:]); err != nil {
		return nil, err
	}
	return body.AppendTo(data[:head:head]), nil
}

func bodyOf(kind int8, api int16) message {
	if kind == 0 {
		if request := kmsg.RequestForKey(api); request != nil {
			return request
		}
	} else if response := kmsg.ResponseForKey(api); response != nil {
		return response
	}
	return nil
}

func headerSize(kind int8, api, version int16, flexible bool, data []byte) (int, error) {
	reader := kbin.Reader{Src: data}
	if kind == 0 {
		reader.Span(2 + 2)
	}
	reader.Int32()
	if kind == 0 && (api != int16(kmsg.ControlledShutdown) || version > 0) {
		reader.NullableString()
	}
	if flexible && (kind == 0 || api != apiVersions) {
		kmsg.SkipTags(&reader)
	}
	return len(data) - len(reader.Src), reader.Complete()
}

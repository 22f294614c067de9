// Package orders reads what a producer is asked to write, and says what came of it.
package orders

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// Record is one record to send; a nil text is null.
type Record struct {
	Key, Value *string
	Headers    [][2]*string
	Timestamp  int64
}

// Order is one topic to write.
type Order struct {
	Name, Topic, Codec        string
	Level, Acks               *int
	Idempotent, Transactional bool
	Records                   []Record
	Steps                     [][]string
}

// Bytes gives a text as bytes; nil for null.
func Bytes(text *string) []byte {
	if text == nil {
		return nil
	}
	return []byte(*text)
}

// Each has write do every order of standard input, and prints a line of JSON for each, with the version of the module.
func Each(module string, write func(address string, order Order) error) { EachOf(version(module), write) }

// EachOf does the same for a library that says its version itself.
func EachOf(version string, write func(address string, order Order) error) {
	var all []Order
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	for _, order := range all {
		failures := []string{}
		if order.Steps != nil {
			failures = take(os.Args[1], order)
		} else if err := write(os.Args[1], order); err != nil {
			failures = append(failures, err.Error())
		}
		line, _ := json.Marshal(map[string]any{"order": order.Name, "version": version, "failures": failures})
		fmt.Println(string(line))
	}
}

// Producer is a client in a conversation (docs/your-client.md).
type Producer interface {
	Begin() error
	// Send sends values, waits for all, and returns an error for each, or nil.
	Send(values []string) []error
	Commit() error
	Abort() error
	// IsFatal tells whether it can do nothing any more after an error.
	IsFatal(error) bool
	Close()
}

// Stepping makes a producer for orders with steps.
var Stepping func(address string, order Order) (Producer, error)

func take(address string, order Order) (told []string) {
	producer, err := Stepping(address, order)
	if err != nil {
		return []string{"dead " + name(err)}
	}
	defer producer.Close()
	for _, step := range order.Steps {
		if what, values := step[0], step[1:]; what == "send" {
			for index, err := range producer.Send(values) {
				told = append(told, sent(values[index], err))
			}
		} else if fatal := transaction(producer, values, what == "transaction", &told); fatal != nil {
			return append(told, "dead "+name(fatal))
		}
	}
	return told
}

func sent(value string, err error) string {
	if err != nil {
		return "unsent " + value + " " + name(err)
	}
	return "sent " + value
}

// transaction has an application write values in one; it returns an error after which nothing can be done any more.
func transaction(producer Producer, values []string, commits bool, told *[]string) error {
	err := producer.Begin()
	if err == nil {
		err = first(producer.Send(values))
	}
	if err == nil && commits {
		if err = producer.Commit(); err == nil {
			for _, value := range values {
				*told = append(*told, "sent "+value)
			}
			*told = append(*told, "committed")
			return nil
		}
	}
	if err != nil {
		*told = append(*told, "failed "+name(err))
		if producer.IsFatal(err) {
			return err
		}
	}
	if err := producer.Abort(); err != nil {
		return err
	}
	*told = append(*told, "aborted")
	return nil
}

func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func name(err error) string {
	name, _, _ := strings.Cut(err.Error(), ":")
	return strings.ReplaceAll(name, " ", "-")
}

func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return module[len("github.com/"):] + " " + dependency.Version
		}
	}
	return module
}

// The records that a program is to send: a line each, as lines.go prints them.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"time"
)

type record struct {
	timestamp  time.Time
	key, value []byte
}

func given(file string) (records []record) {
	opened, err := os.Open(file)
	must(err)
	defer opened.Close()
	for lines := bufio.NewScanner(opened); lines.Scan(); {
		var offset, timestamp int64
		var kind, key, value string
		_, err := fmt.Sscanf(lines.Text(), "offset=%d timestamp=%d type=%s key=%s value=%s", &offset, &timestamp, &kind, &key, &value)
		must(err)
		records = append(records, record{time.UnixMilli(timestamp), octets(key), octets(value)})
	}
	return records
}

func octets(text string) []byte {
	if text == "null" {
		return nil
	}
	if text == "empty" {
		return []byte{}
	}
	data, err := hex.DecodeString(text)
	must(err)
	return data
}

// How a program tells what its library gave: a line a record, in the words of the specification; bytes in hex.
package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"time"
)

func show(offset int64, timestamp time.Time, key, value []byte) {
	fmt.Printf("offset=%d timestamp=%d key=%s value=%s\n", offset, timestamp.UnixMilli(), text(key), text(value))
}

func showError(err error) {
	fmt.Printf("error: %v\n", err)
}

func text(data []byte) string {
	if data == nil {
		return "null"
	}
	if len(data) == 0 {
		return "empty"
	}
	return hex.EncodeToString(data)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err) // no panic: those are the library's
		os.Exit(1)
	}
}

// quiet is how long no record comes before there are no more.
const quiet = 2 * time.Second

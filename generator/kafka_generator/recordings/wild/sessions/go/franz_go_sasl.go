// Logs in with franz-go, with PLAIN, SCRAM and a wrong password: franz_go_sasl HOST:PORT.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

func main() {
	mechanisms := []sasl.Mechanism{
		plain.Auth{User: "alice", Pass: "not-secret"}.AsMechanism(),
		scram.Auth{User: "alice", Pass: "not-secret"}.AsSha256Mechanism(),
		plain.Auth{User: "alice", Pass: "wrong"}.AsMechanism(),
	}
	for _, mechanism := range mechanisms {
		client, err := kgo.NewClient(
			kgo.SeedBrokers(os.Args[1]), kgo.ClientID("franz-go-sasl"), kgo.SASL(mechanism), kgo.RetryTimeout(5*time.Second),
		)
		if err != nil {
			panic(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		fmt.Println(client.Ping(ctx))
		cancel()
		client.Close()
	}
}

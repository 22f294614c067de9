//go:build !oldgroups

package main

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"
)

// ofNewGroups are the settings of members of groups of KIP-848, which came with 1.19.
var ofNewGroups = []string{"consumer-protocol"}

func ofNewGroup() []kgo.Opt {
	return []kgo.Opt{kgo.WithContext(context.WithValue(context.Background(), "opt_in_kafka_next_gen_balancer_beta", true))}
}

//go:build oldgroups

package main

import "github.com/twmb/franz-go/pkg/kgo"

// Releases before 1.19 have no groups of KIP-848, and are never asked for one.

var ofNewGroups []string

func ofNewGroup() []kgo.Opt { return nil }

package common

import (
	"runtime/debug"
	"strings"
)

// VersionOf gives the version of a module that is built into this program, as the hello declares it.
func VersionOf(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return strings.TrimPrefix(dependency.Version, "v")
		}
	}
	panic(module + " is not built in")
}

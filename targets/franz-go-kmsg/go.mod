module kafkaconformance/franz-go-kmsg

go 1.26.0

replace kafkaconformance/adapter => ../../adapters/go

replace kafkaconformance/common => ../common/go

require (
	github.com/twmb/franz-go/pkg/kmsg v1.15.1
	kafkaconformance/adapter v0.0.0
	kafkaconformance/common v0.0.0-00010101000000-000000000000
)

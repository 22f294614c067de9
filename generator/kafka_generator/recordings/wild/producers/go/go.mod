module wild

go 1.26.0

require kafkaconformance/common v0.0.0

require kafkaconformance/adapter v0.0.0 // indirect

replace kafkaconformance/adapter => ../../../../../adapters/go

replace kafkaconformance/common => ../../../../../targets/common/go

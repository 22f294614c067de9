# Made from spec/layouts by generate.py.
from typing import Any, Literal, overload

from kafka_format import values
from kafka_format.codec.compiler import Structure
from kafka_format.codec.versions import CompiledVersion
from kafka_format.protocol import values as versioned

@overload
def structure(name: Literal["header"]) -> Structure[values.Header]: ...

@overload
def structure(name: Literal["record"]) -> Structure[values.Record]: ...

@overload
def structure(name: Literal["record_batch"]) -> Structure[values.RecordBatch]: ...

@overload
def structure(name: Literal["gzip_header"]) -> Structure[values.GzipHeader]: ...

@overload
def structure(name: Literal["gzip_trailer"]) -> Structure[values.GzipTrailer]: ...

@overload
def structure(name: Literal["lz4_block_header"]) -> Structure[values.Lz4BlockHeader]: ...

@overload
def structure(name: Literal["lz4_frame_header"]) -> Structure[values.Lz4FrameHeader]: ...

@overload
def structure(name: Literal["xerial_chunk"]) -> Structure[values.XerialChunk]: ...

@overload
def structure(name: Literal["xerial_header"]) -> Structure[values.XerialHeader]: ...

@overload
def structure(name: Literal["zstd_frame_header"]) -> Structure[values.ZstdFrameHeader]: ...

@overload
def structure(name: Literal["aggregate_with_headers"]) -> Structure[values.AggregateWithHeaders]: ...

@overload
def structure(name: Literal["apicurio_long_id"]) -> Structure[values.ApicurioLongId]: ...

@overload
def structure(name: Literal["changed_values"]) -> Structure[values.ChangedValues]: ...

@overload
def structure(name: Literal["confluent_guid"]) -> Structure[values.ConfluentGuid]: ...

@overload
def structure(name: Literal["confluent_id"]) -> Structure[values.ConfluentId]: ...

@overload
def structure(name: Literal["foreign_key_response"]) -> Structure[values.ForeignKeyResponse]: ...

@overload
def structure(name: Literal["foreign_key_store_key"]) -> Structure[values.ForeignKeyStoreKey]: ...

@overload
def structure(name: Literal["foreign_key_subscription"]) -> Structure[values.ForeignKeySubscription]: ...

@overload
def structure(name: Literal["glue_header"]) -> Structure[values.GlueHeader]: ...

@overload
def structure(name: Literal["join_key"]) -> Structure[values.JoinKey]: ...

@overload
def structure(name: Literal["join_value"]) -> Structure[values.JoinValue]: ...

@overload
def structure(name: Literal["key_first_key"]) -> Structure[values.KeyFirstKey]: ...

@overload
def structure(name: Literal["list_of_fixed"]) -> Structure[values.ListOfFixed]: ...

@overload
def structure(name: Literal["list_of_others"]) -> Structure[values.ListOfOthers]: ...

@overload
def structure(name: Literal["message_indexes"]) -> Structure[values.MessageIndexes]: ...

@overload
def structure(name: Literal["position"]) -> Structure[values.Position]: ...

@overload
def structure(name: Literal["position_partition"]) -> Structure[values.PositionPartition]: ...

@overload
def structure(name: Literal["position_topic"]) -> Structure[values.PositionTopic]: ...

@overload
def structure(name: Literal["session_times"]) -> Structure[values.SessionTimes]: ...

@overload
def structure(name: Literal["store_header"]) -> Structure[values.StoreHeader]: ...

@overload
def structure(name: Literal["store_headers"]) -> Structure[values.StoreHeaders]: ...

@overload
def structure(name: Literal["store_window_times"]) -> Structure[values.StoreWindowTimes]: ...

@overload
def structure(name: Literal["suppressed_change"]) -> Structure[values.SuppressedChange]: ...

@overload
def structure(name: Literal["suppressed_header"]) -> Structure[values.SuppressedHeader]: ...

@overload
def structure(name: Literal["suppressed_value"]) -> Structure[values.SuppressedValue]: ...

@overload
def structure(name: Literal["time_first_session_key"]) -> Structure[values.TimeFirstSessionKey]: ...

@overload
def structure(name: Literal["time_first_window_key"]) -> Structure[values.TimeFirstWindowKey]: ...

@overload
def structure(name: Literal["timestamped_value"]) -> Structure[values.TimestampedValue]: ...

@overload
def structure(name: Literal["value_with_headers"]) -> Structure[values.ValueWithHeaders]: ...

@overload
def structure(name: Literal["versioned_segment"]) -> Structure[values.VersionedSegment]: ...

@overload
def structure(name: Literal["versioned_segment_entry"]) -> Structure[values.VersionedSegmentEntry]: ...

@overload
def structure(name: Literal["window_times"]) -> Structure[values.WindowTimes]: ...

@overload
def structure(name: Literal["windowed_key"]) -> Structure[values.WindowedKey]: ...

@overload
def structure(name: Literal["control_record_key"]) -> Structure[values.ControlRecordKey]: ...

@overload
def structure(name: Literal["end_txn_marker"]) -> Structure[values.EndTxnMarker]: ...

@overload
def structure(name: Literal["kraft_version"]) -> Structure[values.KraftVersion]: ...

@overload
def structure(name: Literal["kraft_version_feature"]) -> Structure[values.KraftVersionFeature]: ...

@overload
def structure(name: Literal["kraft_voter"]) -> Structure[values.KraftVoter]: ...

@overload
def structure(name: Literal["kraft_voter_endpoint"]) -> Structure[values.KraftVoterEndpoint]: ...

@overload
def structure(name: Literal["kraft_voters"]) -> Structure[values.KraftVoters]: ...

@overload
def structure(name: Literal["leader_change_v0"]) -> Structure[values.LeaderChangeV0]: ...

@overload
def structure(name: Literal["leader_change_v1"]) -> Structure[values.LeaderChangeV1]: ...

@overload
def structure(name: Literal["leader_change_voter_v0"]) -> Structure[values.LeaderChangeVoterV0]: ...

@overload
def structure(name: Literal["leader_change_voter_v1"]) -> Structure[values.LeaderChangeVoterV1]: ...

@overload
def structure(name: Literal["snapshot_footer"]) -> Structure[values.SnapshotFooter]: ...

@overload
def structure(name: Literal["snapshot_header"]) -> Structure[values.SnapshotHeader]: ...

@overload
def structure(name: Literal["metadata_record_frame"]) -> Structure[values.MetadataRecordFrame]: ...

@overload
def structure(name: Literal["protocol_frame"]) -> Structure[values.ProtocolFrame]: ...

@overload
def structure(name: Literal["record_number"]) -> Structure[values.RecordNumber]: ...

@overload
def structure(name: Literal["schema_version"]) -> Structure[values.SchemaVersion]: ...

@overload
def structure(name: Literal["offset_index_entry"]) -> Structure[values.OffsetIndexEntry]: ...

@overload
def structure(name: Literal["producer_snapshot_file"]) -> Structure[values.ProducerSnapshotFile]: ...

@overload
def structure(name: Literal["producer_state"]) -> Structure[values.ProducerState]: ...

@overload
def structure(name: Literal["remote_log_snapshot_header"]) -> Structure[values.RemoteLogSnapshotHeader]: ...

@overload
def structure(name: Literal["time_index_entry"]) -> Structure[values.TimeIndexEntry]: ...

@overload
def structure(name: Literal["transaction_index_entry"]) -> Structure[values.TransactionIndexEntry]: ...

@overload
def structure(name: Literal["message_set_entry"]) -> Structure[values.MessageSetEntry]: ...

@overload
def structure(name: Literal["message_v0"]) -> Structure[values.MessageV0]: ...

@overload
def structure(name: Literal["message_v1"]) -> Structure[values.MessageV1]: ...

@overload
def structure(name: Literal["v07_entry"]) -> Structure[values.V07Entry]: ...

@overload
def structure(name: Literal["v07_message_0"]) -> Structure[values.V07Message0]: ...

@overload
def structure(name: Literal["v07_message_1"]) -> Structure[values.V07Message1]: ...

@overload
def structure(name: Literal["tagged_field"]) -> Structure[values.TaggedField]: ...

@overload
def structure(name: Literal["tagged_fields"]) -> Structure[values.TaggedFields]: ...

@overload
def structure(name: Literal["v07_request_frame"]) -> Structure[values.V07RequestFrame]: ...

@overload
def structure(name: Literal["v07_response_frame"]) -> Structure[values.V07ResponseFrame]: ...

@overload
def structure(name: Literal["answer"]) -> Structure[values.Answer]: ...

@overload
def structure(name: Literal["answer_header"]) -> Structure[values.AnswerHeader]: ...

@overload
def structure(name: Literal["answer_record"]) -> Structure[values.AnswerRecord]: ...

@overload
def structure(name: Literal["answered"]) -> Structure[values.Answered]: ...

@overload
def structure(name: Literal["block_reply"]) -> Structure[values.BlockReply]: ...

@overload
def structure(name: Literal["block_result"]) -> Structure[values.BlockResult]: ...

@overload
def structure(name: Literal["child_ended"]) -> Structure[values.ChildEnded]: ...

@overload
def structure(name: Literal["decode_request"]) -> Structure[values.DecodeRequest]: ...

@overload
def structure(name: Literal["encode_input"]) -> Structure[values.EncodeInput]: ...

@overload
def structure(name: Literal["encode_request"]) -> Structure[values.EncodeRequest]: ...

@overload
def structure(name: Literal["frame"]) -> Structure[values.Frame]: ...

@overload
def structure(name: Literal["hello"]) -> Structure[values.Hello]: ...

@overload
def structure(name: Literal["isolation_page"]) -> Structure[values.IsolationPage]: ...

@overload
def structure(name: Literal["json_request"]) -> Structure[values.JsonRequest]: ...

@overload
def structure(name: Literal["message_input"]) -> Structure[values.MessageInput]: ...

@overload
def structure(name: Literal["message_request"]) -> Structure[values.MessageRequest]: ...

@overload
def structure(name: Literal["partial_answer"]) -> Structure[values.PartialAnswer]: ...

@overload
def structure(name: Literal["schema_record"]) -> Structure[values.SchemaRecord]: ...

@overload
def structure(name: Literal["aborted_transaction"]) -> Structure[values.AbortedTransaction]: ...

@overload
def structure(name: Literal["assign_input"]) -> Structure[values.AssignInput]: ...

@overload
def structure(name: Literal["assign_request"]) -> Structure[values.AssignRequest]: ...

@overload
def structure(name: Literal["assigned"]) -> Structure[values.Assigned]: ...

@overload
def structure(name: Literal["convert_input"]) -> Structure[values.ConvertInput]: ...

@overload
def structure(name: Literal["convert_request"]) -> Structure[values.ConvertRequest]: ...

@overload
def structure(name: Literal["deliver_input"]) -> Structure[values.DeliverInput]: ...

@overload
def structure(name: Literal["deliver_request"]) -> Structure[values.DeliverRequest]: ...

@overload
def structure(name: Literal["delivery"]) -> Structure[values.Delivery]: ...

@overload
def structure(name: str) -> Structure[Any]: ...

@overload
def structure(
    name: Literal["alter_replica_log_dirs_request"], version: int
) -> CompiledVersion[versioned.AlterReplicaLogDirsRequest]: ...

@overload
def structure(
    name: Literal["alter_replica_log_dirs_response"], version: int
) -> CompiledVersion[versioned.AlterReplicaLogDirsResponse]: ...

@overload
def structure(
    name: Literal["api_versions_request"], version: int
) -> CompiledVersion[versioned.ApiVersionsRequest]: ...

@overload
def structure(
    name: Literal["api_versions_response"], version: int
) -> CompiledVersion[versioned.ApiVersionsResponse]: ...

@overload
def structure(
    name: Literal["describe_cluster_request"], version: int
) -> CompiledVersion[versioned.DescribeClusterRequest]: ...

@overload
def structure(
    name: Literal["describe_cluster_response"], version: int
) -> CompiledVersion[versioned.DescribeClusterResponse]: ...

@overload
def structure(
    name: Literal["describe_log_dirs_request"], version: int
) -> CompiledVersion[versioned.DescribeLogDirsRequest]: ...

@overload
def structure(
    name: Literal["describe_log_dirs_response"], version: int
) -> CompiledVersion[versioned.DescribeLogDirsResponse]: ...

@overload
def structure(
    name: Literal["describe_topic_partitions_request"], version: int
) -> CompiledVersion[versioned.DescribeTopicPartitionsRequest]: ...

@overload
def structure(
    name: Literal["describe_topic_partitions_response"], version: int
) -> CompiledVersion[versioned.DescribeTopicPartitionsResponse]: ...

@overload
def structure(
    name: Literal["metadata_request"], version: int
) -> CompiledVersion[versioned.MetadataRequest]: ...

@overload
def structure(
    name: Literal["metadata_response"], version: int
) -> CompiledVersion[versioned.MetadataResponse]: ...

@overload
def structure(
    name: Literal["unregister_broker_request"], version: int
) -> CompiledVersion[versioned.UnregisterBrokerRequest]: ...

@overload
def structure(
    name: Literal["unregister_broker_response"], version: int
) -> CompiledVersion[versioned.UnregisterBrokerResponse]: ...

@overload
def structure(
    name: Literal["unregister_controller_request"], version: int
) -> CompiledVersion[versioned.UnregisterControllerRequest]: ...

@overload
def structure(
    name: Literal["unregister_controller_response"], version: int
) -> CompiledVersion[versioned.UnregisterControllerResponse]: ...

@overload
def structure(
    name: Literal["update_features_request"], version: int
) -> CompiledVersion[versioned.UpdateFeaturesRequest]: ...

@overload
def structure(
    name: Literal["update_features_response"], version: int
) -> CompiledVersion[versioned.UpdateFeaturesResponse]: ...

@overload
def structure(
    name: Literal["alter_client_quotas_request"], version: int
) -> CompiledVersion[versioned.AlterClientQuotasRequest]: ...

@overload
def structure(
    name: Literal["alter_client_quotas_response"], version: int
) -> CompiledVersion[versioned.AlterClientQuotasResponse]: ...

@overload
def structure(
    name: Literal["alter_configs_request"], version: int
) -> CompiledVersion[versioned.AlterConfigsRequest]: ...

@overload
def structure(
    name: Literal["alter_configs_response"], version: int
) -> CompiledVersion[versioned.AlterConfigsResponse]: ...

@overload
def structure(
    name: Literal["describe_client_quotas_request"], version: int
) -> CompiledVersion[versioned.DescribeClientQuotasRequest]: ...

@overload
def structure(
    name: Literal["describe_client_quotas_response"], version: int
) -> CompiledVersion[versioned.DescribeClientQuotasResponse]: ...

@overload
def structure(
    name: Literal["describe_configs_request"], version: int
) -> CompiledVersion[versioned.DescribeConfigsRequest]: ...

@overload
def structure(
    name: Literal["describe_configs_response"], version: int
) -> CompiledVersion[versioned.DescribeConfigsResponse]: ...

@overload
def structure(
    name: Literal["get_telemetry_subscriptions_request"], version: int
) -> CompiledVersion[versioned.GetTelemetrySubscriptionsRequest]: ...

@overload
def structure(
    name: Literal["get_telemetry_subscriptions_response"], version: int
) -> CompiledVersion[versioned.GetTelemetrySubscriptionsResponse]: ...

@overload
def structure(
    name: Literal["incremental_alter_configs_request"], version: int
) -> CompiledVersion[versioned.IncrementalAlterConfigsRequest]: ...

@overload
def structure(
    name: Literal["incremental_alter_configs_response"], version: int
) -> CompiledVersion[versioned.IncrementalAlterConfigsResponse]: ...

@overload
def structure(
    name: Literal["list_config_resources_request"], version: int
) -> CompiledVersion[versioned.ListConfigResourcesRequest]: ...

@overload
def structure(
    name: Literal["list_config_resources_response"], version: int
) -> CompiledVersion[versioned.ListConfigResourcesResponse]: ...

@overload
def structure(
    name: Literal["push_telemetry_request"], version: int
) -> CompiledVersion[versioned.PushTelemetryRequest]: ...

@overload
def structure(
    name: Literal["push_telemetry_response"], version: int
) -> CompiledVersion[versioned.PushTelemetryResponse]: ...

@overload
def structure(
    name: Literal["connect_worker_assignment"], version: int
) -> CompiledVersion[versioned.ConnectWorkerAssignment]: ...

@overload
def structure(
    name: Literal["connect_worker_metadata"], version: int
) -> CompiledVersion[versioned.ConnectWorkerMetadata]: ...

@overload
def structure(
    name: Literal["cooperative_sticky_user_data"], version: int
) -> CompiledVersion[versioned.CooperativeStickyUserData]: ...

@overload
def structure(
    name: Literal["mirror_checkpoint_key"], version: int
) -> CompiledVersion[versioned.MirrorCheckpointKey]: ...

@overload
def structure(
    name: Literal["mirror_checkpoint_value"], version: int
) -> CompiledVersion[versioned.MirrorCheckpointValue]: ...

@overload
def structure(
    name: Literal["mirror_heartbeat_key"], version: int
) -> CompiledVersion[versioned.MirrorHeartbeatKey]: ...

@overload
def structure(
    name: Literal["mirror_heartbeat_value"], version: int
) -> CompiledVersion[versioned.MirrorHeartbeatValue]: ...

@overload
def structure(
    name: Literal["mirror_offset_sync_key"], version: int
) -> CompiledVersion[versioned.MirrorOffsetSyncKey]: ...

@overload
def structure(
    name: Literal["mirror_offset_sync_value"], version: int
) -> CompiledVersion[versioned.MirrorOffsetSyncValue]: ...

@overload
def structure(
    name: Literal["sticky_user_data"], version: int
) -> CompiledVersion[versioned.StickyUserData]: ...

@overload
def structure(
    name: Literal["control_record_type_schema"], version: int
) -> CompiledVersion[versioned.ControlRecordTypeSchema]: ...

@overload
def structure(
    name: Literal["kraft_version_record"], version: int
) -> CompiledVersion[versioned.KraftVersionRecord]: ...

@overload
def structure(
    name: Literal["leader_change_message"], version: int
) -> CompiledVersion[versioned.LeaderChangeMessage]: ...

@overload
def structure(
    name: Literal["leader_change_message_of_2_7"], version: int
) -> CompiledVersion[versioned.LeaderChangeMessageOf27]: ...

@overload
def structure(
    name: Literal["leader_change_message_of_2_8"], version: int
) -> CompiledVersion[versioned.LeaderChangeMessageOf28]: ...

@overload
def structure(
    name: Literal["snapshot_footer_record"], version: int
) -> CompiledVersion[versioned.SnapshotFooterRecord]: ...

@overload
def structure(
    name: Literal["snapshot_header_record"], version: int
) -> CompiledVersion[versioned.SnapshotHeaderRecord]: ...

@overload
def structure(
    name: Literal["transaction_marker"], version: int
) -> CompiledVersion[versioned.TransactionMarker]: ...

@overload
def structure(
    name: Literal["voters_record"], version: int
) -> CompiledVersion[versioned.VotersRecord]: ...

@overload
def structure(
    name: Literal["allocate_producer_ids_request"], version: int
) -> CompiledVersion[versioned.AllocateProducerIdsRequest]: ...

@overload
def structure(
    name: Literal["allocate_producer_ids_response"], version: int
) -> CompiledVersion[versioned.AllocateProducerIdsResponse]: ...

@overload
def structure(
    name: Literal["alter_partition_request"], version: int
) -> CompiledVersion[versioned.AlterPartitionRequest]: ...

@overload
def structure(
    name: Literal["alter_partition_response"], version: int
) -> CompiledVersion[versioned.AlterPartitionResponse]: ...

@overload
def structure(
    name: Literal["assign_replicas_to_dirs_request"], version: int
) -> CompiledVersion[versioned.AssignReplicasToDirsRequest]: ...

@overload
def structure(
    name: Literal["assign_replicas_to_dirs_response"], version: int
) -> CompiledVersion[versioned.AssignReplicasToDirsResponse]: ...

@overload
def structure(
    name: Literal["broker_heartbeat_request"], version: int
) -> CompiledVersion[versioned.BrokerHeartbeatRequest]: ...

@overload
def structure(
    name: Literal["broker_heartbeat_response"], version: int
) -> CompiledVersion[versioned.BrokerHeartbeatResponse]: ...

@overload
def structure(
    name: Literal["broker_registration_request"], version: int
) -> CompiledVersion[versioned.BrokerRegistrationRequest]: ...

@overload
def structure(
    name: Literal["broker_registration_response"], version: int
) -> CompiledVersion[versioned.BrokerRegistrationResponse]: ...

@overload
def structure(
    name: Literal["controlled_shutdown_request"], version: int
) -> CompiledVersion[versioned.ControlledShutdownRequest]: ...

@overload
def structure(
    name: Literal["controlled_shutdown_response"], version: int
) -> CompiledVersion[versioned.ControlledShutdownResponse]: ...

@overload
def structure(
    name: Literal["controller_registration_request"], version: int
) -> CompiledVersion[versioned.ControllerRegistrationRequest]: ...

@overload
def structure(
    name: Literal["controller_registration_response"], version: int
) -> CompiledVersion[versioned.ControllerRegistrationResponse]: ...

@overload
def structure(
    name: Literal["envelope_request"], version: int
) -> CompiledVersion[versioned.EnvelopeRequest]: ...

@overload
def structure(
    name: Literal["envelope_response"], version: int
) -> CompiledVersion[versioned.EnvelopeResponse]: ...

@overload
def structure(
    name: Literal["leader_and_isr_request"], version: int
) -> CompiledVersion[versioned.LeaderAndIsrRequest]: ...

@overload
def structure(
    name: Literal["leader_and_isr_response"], version: int
) -> CompiledVersion[versioned.LeaderAndIsrResponse]: ...

@overload
def structure(
    name: Literal["stop_replica_request"], version: int
) -> CompiledVersion[versioned.StopReplicaRequest]: ...

@overload
def structure(
    name: Literal["stop_replica_response"], version: int
) -> CompiledVersion[versioned.StopReplicaResponse]: ...

@overload
def structure(
    name: Literal["update_metadata_request"], version: int
) -> CompiledVersion[versioned.UpdateMetadataRequest]: ...

@overload
def structure(
    name: Literal["update_metadata_response"], version: int
) -> CompiledVersion[versioned.UpdateMetadataResponse]: ...

@overload
def structure(
    name: Literal["consumer_group_current_member_assignment_key"], version: int
) -> CompiledVersion[versioned.ConsumerGroupCurrentMemberAssignmentKey]: ...

@overload
def structure(
    name: Literal["consumer_group_current_member_assignment_value"], version: int
) -> CompiledVersion[versioned.ConsumerGroupCurrentMemberAssignmentValue]: ...

@overload
def structure(
    name: Literal["consumer_group_current_member_assignment_value_of_3_5"], version: int
) -> CompiledVersion[versioned.ConsumerGroupCurrentMemberAssignmentValueOf35]: ...

@overload
def structure(
    name: Literal["consumer_group_current_member_assignment_value_of_3_7"], version: int
) -> CompiledVersion[versioned.ConsumerGroupCurrentMemberAssignmentValueOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_member_metadata_key"], version: int
) -> CompiledVersion[versioned.ConsumerGroupMemberMetadataKey]: ...

@overload
def structure(
    name: Literal["consumer_group_member_metadata_value"], version: int
) -> CompiledVersion[versioned.ConsumerGroupMemberMetadataValue]: ...

@overload
def structure(
    name: Literal["consumer_group_member_metadata_value_of_3_5"], version: int
) -> CompiledVersion[versioned.ConsumerGroupMemberMetadataValueOf35]: ...

@overload
def structure(
    name: Literal["consumer_group_member_metadata_value_of_3_7"], version: int
) -> CompiledVersion[versioned.ConsumerGroupMemberMetadataValueOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_metadata_key"], version: int
) -> CompiledVersion[versioned.ConsumerGroupMetadataKey]: ...

@overload
def structure(
    name: Literal["consumer_group_metadata_value"], version: int
) -> CompiledVersion[versioned.ConsumerGroupMetadataValue]: ...

@overload
def structure(
    name: Literal["consumer_group_partition_metadata_key"], version: int
) -> CompiledVersion[versioned.ConsumerGroupPartitionMetadataKey]: ...

@overload
def structure(
    name: Literal["consumer_group_partition_metadata_value"], version: int
) -> CompiledVersion[versioned.ConsumerGroupPartitionMetadataValue]: ...

@overload
def structure(
    name: Literal["consumer_group_partition_metadata_value_of_3_5"], version: int
) -> CompiledVersion[versioned.ConsumerGroupPartitionMetadataValueOf35]: ...

@overload
def structure(
    name: Literal["consumer_group_partition_metadata_value_of_3_7"], version: int
) -> CompiledVersion[versioned.ConsumerGroupPartitionMetadataValueOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_regular_expression_key"], version: int
) -> CompiledVersion[versioned.ConsumerGroupRegularExpressionKey]: ...

@overload
def structure(
    name: Literal["consumer_group_regular_expression_value"], version: int
) -> CompiledVersion[versioned.ConsumerGroupRegularExpressionValue]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_member_key"], version: int
) -> CompiledVersion[versioned.ConsumerGroupTargetAssignmentMemberKey]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_member_value"], version: int
) -> CompiledVersion[versioned.ConsumerGroupTargetAssignmentMemberValue]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_member_value_of_3_7"], version: int
) -> CompiledVersion[versioned.ConsumerGroupTargetAssignmentMemberValueOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_metadata_key"], version: int
) -> CompiledVersion[versioned.ConsumerGroupTargetAssignmentMetadataKey]: ...

@overload
def structure(
    name: Literal["consumer_group_target_assignment_metadata_value"], version: int
) -> CompiledVersion[versioned.ConsumerGroupTargetAssignmentMetadataValue]: ...

@overload
def structure(
    name: Literal["group_metadata_key"], version: int
) -> CompiledVersion[versioned.GroupMetadataKey]: ...

@overload
def structure(
    name: Literal["group_metadata_value"], version: int
) -> CompiledVersion[versioned.GroupMetadataValue]: ...

@overload
def structure(
    name: Literal["legacy_offset_commit_key"], version: int
) -> CompiledVersion[versioned.LegacyOffsetCommitKey]: ...

@overload
def structure(
    name: Literal["legacy_offset_commit_value"], version: int
) -> CompiledVersion[versioned.LegacyOffsetCommitValue]: ...

@overload
def structure(
    name: Literal["offset_commit_key"], version: int
) -> CompiledVersion[versioned.OffsetCommitKey]: ...

@overload
def structure(
    name: Literal["offset_commit_value"], version: int
) -> CompiledVersion[versioned.OffsetCommitValue]: ...

@overload
def structure(
    name: Literal["share_group_current_member_assignment_key"], version: int
) -> CompiledVersion[versioned.ShareGroupCurrentMemberAssignmentKey]: ...

@overload
def structure(
    name: Literal["share_group_current_member_assignment_value"], version: int
) -> CompiledVersion[versioned.ShareGroupCurrentMemberAssignmentValue]: ...

@overload
def structure(
    name: Literal["share_group_member_metadata_key"], version: int
) -> CompiledVersion[versioned.ShareGroupMemberMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_member_metadata_value"], version: int
) -> CompiledVersion[versioned.ShareGroupMemberMetadataValue]: ...

@overload
def structure(
    name: Literal["share_group_metadata_key"], version: int
) -> CompiledVersion[versioned.ShareGroupMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_metadata_value"], version: int
) -> CompiledVersion[versioned.ShareGroupMetadataValue]: ...

@overload
def structure(
    name: Literal["share_group_metadata_value_of_4_0"], version: int
) -> CompiledVersion[versioned.ShareGroupMetadataValueOf40]: ...

@overload
def structure(
    name: Literal["share_group_partition_metadata_key"], version: int
) -> CompiledVersion[versioned.ShareGroupPartitionMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_partition_metadata_value"], version: int
) -> CompiledVersion[versioned.ShareGroupPartitionMetadataValue]: ...

@overload
def structure(
    name: Literal["share_group_partition_metadata_value_of_3_9"], version: int
) -> CompiledVersion[versioned.ShareGroupPartitionMetadataValueOf39]: ...

@overload
def structure(
    name: Literal["share_group_state_partition_metadata_key"], version: int
) -> CompiledVersion[versioned.ShareGroupStatePartitionMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_state_partition_metadata_value"], version: int
) -> CompiledVersion[versioned.ShareGroupStatePartitionMetadataValue]: ...

@overload
def structure(
    name: Literal["share_group_state_partition_metadata_value_of_4_0"], version: int
) -> CompiledVersion[versioned.ShareGroupStatePartitionMetadataValueOf40]: ...

@overload
def structure(
    name: Literal["share_group_target_assignment_member_key"], version: int
) -> CompiledVersion[versioned.ShareGroupTargetAssignmentMemberKey]: ...

@overload
def structure(
    name: Literal["share_group_target_assignment_member_value"], version: int
) -> CompiledVersion[versioned.ShareGroupTargetAssignmentMemberValue]: ...

@overload
def structure(
    name: Literal["share_group_target_assignment_metadata_key"], version: int
) -> CompiledVersion[versioned.ShareGroupTargetAssignmentMetadataKey]: ...

@overload
def structure(
    name: Literal["share_group_target_assignment_metadata_value"], version: int
) -> CompiledVersion[versioned.ShareGroupTargetAssignmentMetadataValue]: ...

@overload
def structure(
    name: Literal["streams_group_current_member_assignment_key"], version: int
) -> CompiledVersion[versioned.StreamsGroupCurrentMemberAssignmentKey]: ...

@overload
def structure(
    name: Literal["streams_group_current_member_assignment_value"], version: int
) -> CompiledVersion[versioned.StreamsGroupCurrentMemberAssignmentValue]: ...

@overload
def structure(
    name: Literal["streams_group_member_metadata_key"], version: int
) -> CompiledVersion[versioned.StreamsGroupMemberMetadataKey]: ...

@overload
def structure(
    name: Literal["streams_group_member_metadata_value"], version: int
) -> CompiledVersion[versioned.StreamsGroupMemberMetadataValue]: ...

@overload
def structure(
    name: Literal["streams_group_metadata_key"], version: int
) -> CompiledVersion[versioned.StreamsGroupMetadataKey]: ...

@overload
def structure(
    name: Literal["streams_group_metadata_value"], version: int
) -> CompiledVersion[versioned.StreamsGroupMetadataValue]: ...

@overload
def structure(
    name: Literal["streams_group_target_assignment_member_key"], version: int
) -> CompiledVersion[versioned.StreamsGroupTargetAssignmentMemberKey]: ...

@overload
def structure(
    name: Literal["streams_group_target_assignment_member_value"], version: int
) -> CompiledVersion[versioned.StreamsGroupTargetAssignmentMemberValue]: ...

@overload
def structure(
    name: Literal["streams_group_target_assignment_metadata_key"], version: int
) -> CompiledVersion[versioned.StreamsGroupTargetAssignmentMetadataKey]: ...

@overload
def structure(
    name: Literal["streams_group_target_assignment_metadata_value"], version: int
) -> CompiledVersion[versioned.StreamsGroupTargetAssignmentMetadataValue]: ...

@overload
def structure(
    name: Literal["streams_group_topology_key"], version: int
) -> CompiledVersion[versioned.StreamsGroupTopologyKey]: ...

@overload
def structure(
    name: Literal["streams_group_topology_value"], version: int
) -> CompiledVersion[versioned.StreamsGroupTopologyValue]: ...

@overload
def structure(
    name: Literal["consumer_group_describe_request"], version: int
) -> CompiledVersion[versioned.ConsumerGroupDescribeRequest]: ...

@overload
def structure(
    name: Literal["consumer_group_describe_response"], version: int
) -> CompiledVersion[versioned.ConsumerGroupDescribeResponse]: ...

@overload
def structure(
    name: Literal["consumer_group_describe_response_of_3_7"], version: int
) -> CompiledVersion[versioned.ConsumerGroupDescribeResponseOf37]: ...

@overload
def structure(
    name: Literal["consumer_group_heartbeat_request"], version: int
) -> CompiledVersion[versioned.ConsumerGroupHeartbeatRequest]: ...

@overload
def structure(
    name: Literal["consumer_group_heartbeat_request_of_3_6"], version: int
) -> CompiledVersion[versioned.ConsumerGroupHeartbeatRequestOf36]: ...

@overload
def structure(
    name: Literal["consumer_group_heartbeat_response"], version: int
) -> CompiledVersion[versioned.ConsumerGroupHeartbeatResponse]: ...

@overload
def structure(
    name: Literal["consumer_group_heartbeat_response_of_3_6"], version: int
) -> CompiledVersion[versioned.ConsumerGroupHeartbeatResponseOf36]: ...

@overload
def structure(
    name: Literal["consumer_protocol_assignment"], version: int
) -> CompiledVersion[versioned.ConsumerProtocolAssignment]: ...

@overload
def structure(
    name: Literal["consumer_protocol_subscription"], version: int
) -> CompiledVersion[versioned.ConsumerProtocolSubscription]: ...

@overload
def structure(
    name: Literal["delete_groups_request"], version: int
) -> CompiledVersion[versioned.DeleteGroupsRequest]: ...

@overload
def structure(
    name: Literal["delete_groups_response"], version: int
) -> CompiledVersion[versioned.DeleteGroupsResponse]: ...

@overload
def structure(
    name: Literal["describe_groups_request"], version: int
) -> CompiledVersion[versioned.DescribeGroupsRequest]: ...

@overload
def structure(
    name: Literal["describe_groups_response"], version: int
) -> CompiledVersion[versioned.DescribeGroupsResponse]: ...

@overload
def structure(
    name: Literal["find_coordinator_request"], version: int
) -> CompiledVersion[versioned.FindCoordinatorRequest]: ...

@overload
def structure(
    name: Literal["find_coordinator_response"], version: int
) -> CompiledVersion[versioned.FindCoordinatorResponse]: ...

@overload
def structure(
    name: Literal["heartbeat_request"], version: int
) -> CompiledVersion[versioned.HeartbeatRequest]: ...

@overload
def structure(
    name: Literal["heartbeat_response"], version: int
) -> CompiledVersion[versioned.HeartbeatResponse]: ...

@overload
def structure(
    name: Literal["join_group_request"], version: int
) -> CompiledVersion[versioned.JoinGroupRequest]: ...

@overload
def structure(
    name: Literal["join_group_request_of_0_8_2"], version: int
) -> CompiledVersion[versioned.JoinGroupRequestOf082]: ...

@overload
def structure(
    name: Literal["join_group_response"], version: int
) -> CompiledVersion[versioned.JoinGroupResponse]: ...

@overload
def structure(
    name: Literal["join_group_response_of_0_8_2"], version: int
) -> CompiledVersion[versioned.JoinGroupResponseOf082]: ...

@overload
def structure(
    name: Literal["leave_group_request"], version: int
) -> CompiledVersion[versioned.LeaveGroupRequest]: ...

@overload
def structure(
    name: Literal["leave_group_response"], version: int
) -> CompiledVersion[versioned.LeaveGroupResponse]: ...

@overload
def structure(
    name: Literal["list_groups_request"], version: int
) -> CompiledVersion[versioned.ListGroupsRequest]: ...

@overload
def structure(
    name: Literal["list_groups_response"], version: int
) -> CompiledVersion[versioned.ListGroupsResponse]: ...

@overload
def structure(
    name: Literal["offset_commit_request"], version: int
) -> CompiledVersion[versioned.OffsetCommitRequest]: ...

@overload
def structure(
    name: Literal["offset_commit_response"], version: int
) -> CompiledVersion[versioned.OffsetCommitResponse]: ...

@overload
def structure(
    name: Literal["offset_delete_request"], version: int
) -> CompiledVersion[versioned.OffsetDeleteRequest]: ...

@overload
def structure(
    name: Literal["offset_delete_response"], version: int
) -> CompiledVersion[versioned.OffsetDeleteResponse]: ...

@overload
def structure(
    name: Literal["offset_fetch_request"], version: int
) -> CompiledVersion[versioned.OffsetFetchRequest]: ...

@overload
def structure(
    name: Literal["offset_fetch_response"], version: int
) -> CompiledVersion[versioned.OffsetFetchResponse]: ...

@overload
def structure(
    name: Literal["subscription_info_data"], version: int
) -> CompiledVersion[versioned.SubscriptionInfoData]: ...

@overload
def structure(
    name: Literal["sync_group_request"], version: int
) -> CompiledVersion[versioned.SyncGroupRequest]: ...

@overload
def structure(
    name: Literal["sync_group_response"], version: int
) -> CompiledVersion[versioned.SyncGroupResponse]: ...

@overload
def structure(
    name: Literal["request_header"], version: int
) -> CompiledVersion[versioned.RequestHeader]: ...

@overload
def structure(
    name: Literal["response_header"], version: int
) -> CompiledVersion[versioned.ResponseHeader]: ...

@overload
def structure(
    name: Literal["aborted_txn"], version: int
) -> CompiledVersion[versioned.AbortedTxn]: ...

@overload
def structure(
    name: Literal["producer_snapshot"], version: int
) -> CompiledVersion[versioned.ProducerSnapshot]: ...

@overload
def structure(
    name: Literal["abort_transaction_record"], version: int
) -> CompiledVersion[versioned.AbortTransactionRecord]: ...

@overload
def structure(
    name: Literal["access_control_entry_record"], version: int
) -> CompiledVersion[versioned.AccessControlEntryRecord]: ...

@overload
def structure(
    name: Literal["access_control_record"], version: int
) -> CompiledVersion[versioned.AccessControlRecord]: ...

@overload
def structure(
    name: Literal["begin_transaction_record"], version: int
) -> CompiledVersion[versioned.BeginTransactionRecord]: ...

@overload
def structure(
    name: Literal["broker_registration_change_record"], version: int
) -> CompiledVersion[versioned.BrokerRegistrationChangeRecord]: ...

@overload
def structure(
    name: Literal["clear_elr_record"], version: int
) -> CompiledVersion[versioned.ClearElrRecord]: ...

@overload
def structure(
    name: Literal["client_quota_record"], version: int
) -> CompiledVersion[versioned.ClientQuotaRecord]: ...

@overload
def structure(
    name: Literal["client_quota_record_of_2_8"], version: int
) -> CompiledVersion[versioned.ClientQuotaRecordOf28]: ...

@overload
def structure(
    name: Literal["config_record"], version: int
) -> CompiledVersion[versioned.ConfigRecord]: ...

@overload
def structure(
    name: Literal["config_record_of_2_8"], version: int
) -> CompiledVersion[versioned.ConfigRecordOf28]: ...

@overload
def structure(
    name: Literal["delegation_token_record"], version: int
) -> CompiledVersion[versioned.DelegationTokenRecord]: ...

@overload
def structure(
    name: Literal["delegation_token_record_of_2_8"], version: int
) -> CompiledVersion[versioned.DelegationTokenRecordOf28]: ...

@overload
def structure(
    name: Literal["delegation_token_record_of_3_5"], version: int
) -> CompiledVersion[versioned.DelegationTokenRecordOf35]: ...

@overload
def structure(
    name: Literal["end_transaction_record"], version: int
) -> CompiledVersion[versioned.EndTransactionRecord]: ...

@overload
def structure(
    name: Literal["feature_level_record"], version: int
) -> CompiledVersion[versioned.FeatureLevelRecord]: ...

@overload
def structure(
    name: Literal["feature_level_record_of_2_8"], version: int
) -> CompiledVersion[versioned.FeatureLevelRecordOf28]: ...

@overload
def structure(
    name: Literal["feature_level_record_of_3_2"], version: int
) -> CompiledVersion[versioned.FeatureLevelRecordOf32]: ...

@overload
def structure(
    name: Literal["fence_broker_record"], version: int
) -> CompiledVersion[versioned.FenceBrokerRecord]: ...

@overload
def structure(
    name: Literal["fence_broker_record_of_2_8"], version: int
) -> CompiledVersion[versioned.FenceBrokerRecordOf28]: ...

@overload
def structure(
    name: Literal["no_op_record"], version: int
) -> CompiledVersion[versioned.NoOpRecord]: ...

@overload
def structure(
    name: Literal["partition_change_record"], version: int
) -> CompiledVersion[versioned.PartitionChangeRecord]: ...

@overload
def structure(
    name: Literal["partition_record"], version: int
) -> CompiledVersion[versioned.PartitionRecord]: ...

@overload
def structure(
    name: Literal["partition_record_of_2_8"], version: int
) -> CompiledVersion[versioned.PartitionRecordOf28]: ...

@overload
def structure(
    name: Literal["producer_ids_record"], version: int
) -> CompiledVersion[versioned.ProducerIdsRecord]: ...

@overload
def structure(
    name: Literal["register_broker_record"], version: int
) -> CompiledVersion[versioned.RegisterBrokerRecord]: ...

@overload
def structure(
    name: Literal["register_broker_record_of_2_8"], version: int
) -> CompiledVersion[versioned.RegisterBrokerRecordOf28]: ...

@overload
def structure(
    name: Literal["register_controller_record"], version: int
) -> CompiledVersion[versioned.RegisterControllerRecord]: ...

@overload
def structure(
    name: Literal["remove_access_control_entry_record"], version: int
) -> CompiledVersion[versioned.RemoveAccessControlEntryRecord]: ...

@overload
def structure(
    name: Literal["remove_delegation_token_record"], version: int
) -> CompiledVersion[versioned.RemoveDelegationTokenRecord]: ...

@overload
def structure(
    name: Literal["remove_feature_level_record"], version: int
) -> CompiledVersion[versioned.RemoveFeatureLevelRecord]: ...

@overload
def structure(
    name: Literal["remove_topic_record"], version: int
) -> CompiledVersion[versioned.RemoveTopicRecord]: ...

@overload
def structure(
    name: Literal["remove_topic_record_of_2_8"], version: int
) -> CompiledVersion[versioned.RemoveTopicRecordOf28]: ...

@overload
def structure(
    name: Literal["remove_user_scram_credential_record"], version: int
) -> CompiledVersion[versioned.RemoveUserScramCredentialRecord]: ...

@overload
def structure(
    name: Literal["topic_record"], version: int
) -> CompiledVersion[versioned.TopicRecord]: ...

@overload
def structure(
    name: Literal["topic_record_of_2_8"], version: int
) -> CompiledVersion[versioned.TopicRecordOf28]: ...

@overload
def structure(
    name: Literal["unfence_broker_record"], version: int
) -> CompiledVersion[versioned.UnfenceBrokerRecord]: ...

@overload
def structure(
    name: Literal["unfence_broker_record_of_2_8"], version: int
) -> CompiledVersion[versioned.UnfenceBrokerRecordOf28]: ...

@overload
def structure(
    name: Literal["unregister_broker_record"], version: int
) -> CompiledVersion[versioned.UnregisterBrokerRecord]: ...

@overload
def structure(
    name: Literal["unregister_broker_record_of_2_8"], version: int
) -> CompiledVersion[versioned.UnregisterBrokerRecordOf28]: ...

@overload
def structure(
    name: Literal["unregister_controller_record"], version: int
) -> CompiledVersion[versioned.UnregisterControllerRecord]: ...

@overload
def structure(
    name: Literal["user_scram_credential_record"], version: int
) -> CompiledVersion[versioned.UserScramCredentialRecord]: ...

@overload
def structure(
    name: Literal["user_scram_credential_record_of_2_8"], version: int
) -> CompiledVersion[versioned.UserScramCredentialRecordOf28]: ...

@overload
def structure(
    name: Literal["user_scram_credential_record_of_3_4"], version: int
) -> CompiledVersion[versioned.UserScramCredentialRecordOf34]: ...

@overload
def structure(
    name: Literal["zk_migration_state_record"], version: int
) -> CompiledVersion[versioned.ZkMigrationStateRecord]: ...

@overload
def structure(
    name: Literal["delete_records_request"], version: int
) -> CompiledVersion[versioned.DeleteRecordsRequest]: ...

@overload
def structure(
    name: Literal["delete_records_response"], version: int
) -> CompiledVersion[versioned.DeleteRecordsResponse]: ...

@overload
def structure(
    name: Literal["describe_producers_request"], version: int
) -> CompiledVersion[versioned.DescribeProducersRequest]: ...

@overload
def structure(
    name: Literal["describe_producers_response"], version: int
) -> CompiledVersion[versioned.DescribeProducersResponse]: ...

@overload
def structure(
    name: Literal["fetch_request"], version: int
) -> CompiledVersion[versioned.FetchRequest]: ...

@overload
def structure(
    name: Literal["fetch_response"], version: int
) -> CompiledVersion[versioned.FetchResponse]: ...

@overload
def structure(
    name: Literal["list_offsets_request"], version: int
) -> CompiledVersion[versioned.ListOffsetsRequest]: ...

@overload
def structure(
    name: Literal["list_offsets_response"], version: int
) -> CompiledVersion[versioned.ListOffsetsResponse]: ...

@overload
def structure(
    name: Literal["offset_for_leader_epoch_request"], version: int
) -> CompiledVersion[versioned.OffsetForLeaderEpochRequest]: ...

@overload
def structure(
    name: Literal["offset_for_leader_epoch_response"], version: int
) -> CompiledVersion[versioned.OffsetForLeaderEpochResponse]: ...

@overload
def structure(
    name: Literal["produce_request"], version: int
) -> CompiledVersion[versioned.ProduceRequest]: ...

@overload
def structure(
    name: Literal["produce_response"], version: int
) -> CompiledVersion[versioned.ProduceResponse]: ...

@overload
def structure(
    name: Literal["add_raft_voter_request"], version: int
) -> CompiledVersion[versioned.AddRaftVoterRequest]: ...

@overload
def structure(
    name: Literal["add_raft_voter_response"], version: int
) -> CompiledVersion[versioned.AddRaftVoterResponse]: ...

@overload
def structure(
    name: Literal["begin_quorum_epoch_request"], version: int
) -> CompiledVersion[versioned.BeginQuorumEpochRequest]: ...

@overload
def structure(
    name: Literal["begin_quorum_epoch_response"], version: int
) -> CompiledVersion[versioned.BeginQuorumEpochResponse]: ...

@overload
def structure(
    name: Literal["describe_quorum_request"], version: int
) -> CompiledVersion[versioned.DescribeQuorumRequest]: ...

@overload
def structure(
    name: Literal["describe_quorum_response"], version: int
) -> CompiledVersion[versioned.DescribeQuorumResponse]: ...

@overload
def structure(
    name: Literal["end_quorum_epoch_request"], version: int
) -> CompiledVersion[versioned.EndQuorumEpochRequest]: ...

@overload
def structure(
    name: Literal["end_quorum_epoch_request_of_2_7"], version: int
) -> CompiledVersion[versioned.EndQuorumEpochRequestOf27]: ...

@overload
def structure(
    name: Literal["end_quorum_epoch_response"], version: int
) -> CompiledVersion[versioned.EndQuorumEpochResponse]: ...

@overload
def structure(
    name: Literal["fetch_snapshot_request"], version: int
) -> CompiledVersion[versioned.FetchSnapshotRequest]: ...

@overload
def structure(
    name: Literal["fetch_snapshot_response"], version: int
) -> CompiledVersion[versioned.FetchSnapshotResponse]: ...

@overload
def structure(
    name: Literal["quorum_state_data"], version: int
) -> CompiledVersion[versioned.QuorumStateData]: ...

@overload
def structure(
    name: Literal["remove_raft_voter_request"], version: int
) -> CompiledVersion[versioned.RemoveRaftVoterRequest]: ...

@overload
def structure(
    name: Literal["remove_raft_voter_response"], version: int
) -> CompiledVersion[versioned.RemoveRaftVoterResponse]: ...

@overload
def structure(
    name: Literal["update_raft_voter_request"], version: int
) -> CompiledVersion[versioned.UpdateRaftVoterRequest]: ...

@overload
def structure(
    name: Literal["update_raft_voter_response"], version: int
) -> CompiledVersion[versioned.UpdateRaftVoterResponse]: ...

@overload
def structure(
    name: Literal["vote_request"], version: int
) -> CompiledVersion[versioned.VoteRequest]: ...

@overload
def structure(
    name: Literal["vote_response"], version: int
) -> CompiledVersion[versioned.VoteResponse]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_record"], version: int
) -> CompiledVersion[versioned.RemoteLogSegmentMetadataRecord]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_record_of_3_5"], version: int
) -> CompiledVersion[versioned.RemoteLogSegmentMetadataRecordOf35]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_snapshot_record"], version: int
) -> CompiledVersion[versioned.RemoteLogSegmentMetadataSnapshotRecord]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_snapshot_record_of_3_5"], version: int
) -> CompiledVersion[versioned.RemoteLogSegmentMetadataSnapshotRecordOf35]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_update_record"], version: int
) -> CompiledVersion[versioned.RemoteLogSegmentMetadataUpdateRecord]: ...

@overload
def structure(
    name: Literal["remote_log_segment_metadata_update_record_of_3_5"], version: int
) -> CompiledVersion[versioned.RemoteLogSegmentMetadataUpdateRecordOf35]: ...

@overload
def structure(
    name: Literal["remote_partition_delete_metadata_record"], version: int
) -> CompiledVersion[versioned.RemotePartitionDeleteMetadataRecord]: ...

@overload
def structure(
    name: Literal["alter_user_scram_credentials_request"], version: int
) -> CompiledVersion[versioned.AlterUserScramCredentialsRequest]: ...

@overload
def structure(
    name: Literal["alter_user_scram_credentials_response"], version: int
) -> CompiledVersion[versioned.AlterUserScramCredentialsResponse]: ...

@overload
def structure(
    name: Literal["create_acls_request"], version: int
) -> CompiledVersion[versioned.CreateAclsRequest]: ...

@overload
def structure(
    name: Literal["create_acls_response"], version: int
) -> CompiledVersion[versioned.CreateAclsResponse]: ...

@overload
def structure(
    name: Literal["create_delegation_token_request"], version: int
) -> CompiledVersion[versioned.CreateDelegationTokenRequest]: ...

@overload
def structure(
    name: Literal["create_delegation_token_response"], version: int
) -> CompiledVersion[versioned.CreateDelegationTokenResponse]: ...

@overload
def structure(
    name: Literal["default_principal_data"], version: int
) -> CompiledVersion[versioned.DefaultPrincipalData]: ...

@overload
def structure(
    name: Literal["delete_acls_request"], version: int
) -> CompiledVersion[versioned.DeleteAclsRequest]: ...

@overload
def structure(
    name: Literal["delete_acls_response"], version: int
) -> CompiledVersion[versioned.DeleteAclsResponse]: ...

@overload
def structure(
    name: Literal["describe_acls_request"], version: int
) -> CompiledVersion[versioned.DescribeAclsRequest]: ...

@overload
def structure(
    name: Literal["describe_acls_response"], version: int
) -> CompiledVersion[versioned.DescribeAclsResponse]: ...

@overload
def structure(
    name: Literal["describe_delegation_token_request"], version: int
) -> CompiledVersion[versioned.DescribeDelegationTokenRequest]: ...

@overload
def structure(
    name: Literal["describe_delegation_token_response"], version: int
) -> CompiledVersion[versioned.DescribeDelegationTokenResponse]: ...

@overload
def structure(
    name: Literal["describe_user_scram_credentials_request"], version: int
) -> CompiledVersion[versioned.DescribeUserScramCredentialsRequest]: ...

@overload
def structure(
    name: Literal["describe_user_scram_credentials_response"], version: int
) -> CompiledVersion[versioned.DescribeUserScramCredentialsResponse]: ...

@overload
def structure(
    name: Literal["expire_delegation_token_request"], version: int
) -> CompiledVersion[versioned.ExpireDelegationTokenRequest]: ...

@overload
def structure(
    name: Literal["expire_delegation_token_response"], version: int
) -> CompiledVersion[versioned.ExpireDelegationTokenResponse]: ...

@overload
def structure(
    name: Literal["renew_delegation_token_request"], version: int
) -> CompiledVersion[versioned.RenewDelegationTokenRequest]: ...

@overload
def structure(
    name: Literal["renew_delegation_token_response"], version: int
) -> CompiledVersion[versioned.RenewDelegationTokenResponse]: ...

@overload
def structure(
    name: Literal["sasl_authenticate_request"], version: int
) -> CompiledVersion[versioned.SaslAuthenticateRequest]: ...

@overload
def structure(
    name: Literal["sasl_authenticate_response"], version: int
) -> CompiledVersion[versioned.SaslAuthenticateResponse]: ...

@overload
def structure(
    name: Literal["sasl_handshake_request"], version: int
) -> CompiledVersion[versioned.SaslHandshakeRequest]: ...

@overload
def structure(
    name: Literal["sasl_handshake_response"], version: int
) -> CompiledVersion[versioned.SaslHandshakeResponse]: ...

@overload
def structure(
    name: Literal["sasl_token"], version: int
) -> CompiledVersion[versioned.SaslToken]: ...

@overload
def structure(
    name: Literal["alter_share_group_offsets_request"], version: int
) -> CompiledVersion[versioned.AlterShareGroupOffsetsRequest]: ...

@overload
def structure(
    name: Literal["alter_share_group_offsets_response"], version: int
) -> CompiledVersion[versioned.AlterShareGroupOffsetsResponse]: ...

@overload
def structure(
    name: Literal["delete_share_group_offsets_request"], version: int
) -> CompiledVersion[versioned.DeleteShareGroupOffsetsRequest]: ...

@overload
def structure(
    name: Literal["delete_share_group_offsets_response"], version: int
) -> CompiledVersion[versioned.DeleteShareGroupOffsetsResponse]: ...

@overload
def structure(
    name: Literal["delete_share_group_state_request"], version: int
) -> CompiledVersion[versioned.DeleteShareGroupStateRequest]: ...

@overload
def structure(
    name: Literal["delete_share_group_state_response"], version: int
) -> CompiledVersion[versioned.DeleteShareGroupStateResponse]: ...

@overload
def structure(
    name: Literal["describe_share_group_offsets_request"], version: int
) -> CompiledVersion[versioned.DescribeShareGroupOffsetsRequest]: ...

@overload
def structure(
    name: Literal["describe_share_group_offsets_response"], version: int
) -> CompiledVersion[versioned.DescribeShareGroupOffsetsResponse]: ...

@overload
def structure(
    name: Literal["initialize_share_group_state_request"], version: int
) -> CompiledVersion[versioned.InitializeShareGroupStateRequest]: ...

@overload
def structure(
    name: Literal["initialize_share_group_state_response"], version: int
) -> CompiledVersion[versioned.InitializeShareGroupStateResponse]: ...

@overload
def structure(
    name: Literal["read_share_group_state_request"], version: int
) -> CompiledVersion[versioned.ReadShareGroupStateRequest]: ...

@overload
def structure(
    name: Literal["read_share_group_state_response"], version: int
) -> CompiledVersion[versioned.ReadShareGroupStateResponse]: ...

@overload
def structure(
    name: Literal["read_share_group_state_summary_request"], version: int
) -> CompiledVersion[versioned.ReadShareGroupStateSummaryRequest]: ...

@overload
def structure(
    name: Literal["read_share_group_state_summary_response"], version: int
) -> CompiledVersion[versioned.ReadShareGroupStateSummaryResponse]: ...

@overload
def structure(
    name: Literal["read_share_group_state_summary_response_of_4_0"], version: int
) -> CompiledVersion[versioned.ReadShareGroupStateSummaryResponseOf40]: ...

@overload
def structure(
    name: Literal["share_acknowledge_request"], version: int
) -> CompiledVersion[versioned.ShareAcknowledgeRequest]: ...

@overload
def structure(
    name: Literal["share_acknowledge_response"], version: int
) -> CompiledVersion[versioned.ShareAcknowledgeResponse]: ...

@overload
def structure(
    name: Literal["share_fetch_request"], version: int
) -> CompiledVersion[versioned.ShareFetchRequest]: ...

@overload
def structure(
    name: Literal["share_fetch_response"], version: int
) -> CompiledVersion[versioned.ShareFetchResponse]: ...

@overload
def structure(
    name: Literal["share_group_describe_request"], version: int
) -> CompiledVersion[versioned.ShareGroupDescribeRequest]: ...

@overload
def structure(
    name: Literal["share_group_describe_response"], version: int
) -> CompiledVersion[versioned.ShareGroupDescribeResponse]: ...

@overload
def structure(
    name: Literal["share_group_heartbeat_request"], version: int
) -> CompiledVersion[versioned.ShareGroupHeartbeatRequest]: ...

@overload
def structure(
    name: Literal["share_group_heartbeat_response"], version: int
) -> CompiledVersion[versioned.ShareGroupHeartbeatResponse]: ...

@overload
def structure(
    name: Literal["share_snapshot_key"], version: int
) -> CompiledVersion[versioned.ShareSnapshotKey]: ...

@overload
def structure(
    name: Literal["share_snapshot_value"], version: int
) -> CompiledVersion[versioned.ShareSnapshotValue]: ...

@overload
def structure(
    name: Literal["share_snapshot_value_of_4_0"], version: int
) -> CompiledVersion[versioned.ShareSnapshotValueOf40]: ...

@overload
def structure(
    name: Literal["share_update_key"], version: int
) -> CompiledVersion[versioned.ShareUpdateKey]: ...

@overload
def structure(
    name: Literal["share_update_value"], version: int
) -> CompiledVersion[versioned.ShareUpdateValue]: ...

@overload
def structure(
    name: Literal["share_update_value_of_4_0"], version: int
) -> CompiledVersion[versioned.ShareUpdateValueOf40]: ...

@overload
def structure(
    name: Literal["write_share_group_state_request"], version: int
) -> CompiledVersion[versioned.WriteShareGroupStateRequest]: ...

@overload
def structure(
    name: Literal["write_share_group_state_response"], version: int
) -> CompiledVersion[versioned.WriteShareGroupStateResponse]: ...

@overload
def structure(
    name: Literal["streams_group_describe_request"], version: int
) -> CompiledVersion[versioned.StreamsGroupDescribeRequest]: ...

@overload
def structure(
    name: Literal["streams_group_describe_response"], version: int
) -> CompiledVersion[versioned.StreamsGroupDescribeResponse]: ...

@overload
def structure(
    name: Literal["streams_group_heartbeat_request"], version: int
) -> CompiledVersion[versioned.StreamsGroupHeartbeatRequest]: ...

@overload
def structure(
    name: Literal["streams_group_heartbeat_response"], version: int
) -> CompiledVersion[versioned.StreamsGroupHeartbeatResponse]: ...

@overload
def structure(
    name: Literal["streams_group_topology_description_update_request"], version: int
) -> CompiledVersion[versioned.StreamsGroupTopologyDescriptionUpdateRequest]: ...

@overload
def structure(
    name: Literal["streams_group_topology_description_update_response"], version: int
) -> CompiledVersion[versioned.StreamsGroupTopologyDescriptionUpdateResponse]: ...

@overload
def structure(
    name: Literal["alter_partition_reassignments_request"], version: int
) -> CompiledVersion[versioned.AlterPartitionReassignmentsRequest]: ...

@overload
def structure(
    name: Literal["alter_partition_reassignments_response"], version: int
) -> CompiledVersion[versioned.AlterPartitionReassignmentsResponse]: ...

@overload
def structure(
    name: Literal["create_partitions_request"], version: int
) -> CompiledVersion[versioned.CreatePartitionsRequest]: ...

@overload
def structure(
    name: Literal["create_partitions_response"], version: int
) -> CompiledVersion[versioned.CreatePartitionsResponse]: ...

@overload
def structure(
    name: Literal["create_topics_request"], version: int
) -> CompiledVersion[versioned.CreateTopicsRequest]: ...

@overload
def structure(
    name: Literal["create_topics_response"], version: int
) -> CompiledVersion[versioned.CreateTopicsResponse]: ...

@overload
def structure(
    name: Literal["delete_topics_request"], version: int
) -> CompiledVersion[versioned.DeleteTopicsRequest]: ...

@overload
def structure(
    name: Literal["delete_topics_response"], version: int
) -> CompiledVersion[versioned.DeleteTopicsResponse]: ...

@overload
def structure(
    name: Literal["elect_leaders_request"], version: int
) -> CompiledVersion[versioned.ElectLeadersRequest]: ...

@overload
def structure(
    name: Literal["elect_leaders_response"], version: int
) -> CompiledVersion[versioned.ElectLeadersResponse]: ...

@overload
def structure(
    name: Literal["list_partition_reassignments_request"], version: int
) -> CompiledVersion[versioned.ListPartitionReassignmentsRequest]: ...

@overload
def structure(
    name: Literal["list_partition_reassignments_response"], version: int
) -> CompiledVersion[versioned.ListPartitionReassignmentsResponse]: ...

@overload
def structure(
    name: Literal["add_offsets_to_txn_request"], version: int
) -> CompiledVersion[versioned.AddOffsetsToTxnRequest]: ...

@overload
def structure(
    name: Literal["add_offsets_to_txn_response"], version: int
) -> CompiledVersion[versioned.AddOffsetsToTxnResponse]: ...

@overload
def structure(
    name: Literal["add_partitions_to_txn_request"], version: int
) -> CompiledVersion[versioned.AddPartitionsToTxnRequest]: ...

@overload
def structure(
    name: Literal["add_partitions_to_txn_response"], version: int
) -> CompiledVersion[versioned.AddPartitionsToTxnResponse]: ...

@overload
def structure(
    name: Literal["describe_transactions_request"], version: int
) -> CompiledVersion[versioned.DescribeTransactionsRequest]: ...

@overload
def structure(
    name: Literal["describe_transactions_response"], version: int
) -> CompiledVersion[versioned.DescribeTransactionsResponse]: ...

@overload
def structure(
    name: Literal["end_txn_request"], version: int
) -> CompiledVersion[versioned.EndTxnRequest]: ...

@overload
def structure(
    name: Literal["end_txn_response"], version: int
) -> CompiledVersion[versioned.EndTxnResponse]: ...

@overload
def structure(
    name: Literal["init_producer_id_request"], version: int
) -> CompiledVersion[versioned.InitProducerIdRequest]: ...

@overload
def structure(
    name: Literal["init_producer_id_response"], version: int
) -> CompiledVersion[versioned.InitProducerIdResponse]: ...

@overload
def structure(
    name: Literal["list_transactions_request"], version: int
) -> CompiledVersion[versioned.ListTransactionsRequest]: ...

@overload
def structure(
    name: Literal["list_transactions_response"], version: int
) -> CompiledVersion[versioned.ListTransactionsResponse]: ...

@overload
def structure(
    name: Literal["transaction_log_key"], version: int
) -> CompiledVersion[versioned.TransactionLogKey]: ...

@overload
def structure(
    name: Literal["transaction_log_value"], version: int
) -> CompiledVersion[versioned.TransactionLogValue]: ...

@overload
def structure(
    name: Literal["txn_offset_commit_request"], version: int
) -> CompiledVersion[versioned.TxnOffsetCommitRequest]: ...

@overload
def structure(
    name: Literal["txn_offset_commit_response"], version: int
) -> CompiledVersion[versioned.TxnOffsetCommitResponse]: ...

@overload
def structure(
    name: Literal["write_txn_markers_request"], version: int
) -> CompiledVersion[versioned.WriteTxnMarkersRequest]: ...

@overload
def structure(
    name: Literal["write_txn_markers_response"], version: int
) -> CompiledVersion[versioned.WriteTxnMarkersResponse]: ...

@overload
def structure(
    name: Literal["v07_fetch_request"], version: int
) -> CompiledVersion[versioned.V07FetchRequest]: ...

@overload
def structure(
    name: Literal["v07_multi_fetch_request"], version: int
) -> CompiledVersion[versioned.V07MultiFetchRequest]: ...

@overload
def structure(
    name: Literal["v07_multi_produce_request"], version: int
) -> CompiledVersion[versioned.V07MultiProduceRequest]: ...

@overload
def structure(
    name: Literal["v07_offsets"], version: int
) -> CompiledVersion[versioned.V07Offsets]: ...

@overload
def structure(
    name: Literal["v07_offsets_request"], version: int
) -> CompiledVersion[versioned.V07OffsetsRequest]: ...

@overload
def structure(
    name: Literal["v07_produce_request"], version: int
) -> CompiledVersion[versioned.V07ProduceRequest]: ...

@overload
def structure(name: str, version: int) -> CompiledVersion[Any]: ...

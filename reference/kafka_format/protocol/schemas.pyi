# Made from spec/layouts/protocol by generate.py.
from typing import Any, Literal, overload

from kafka_format.codec.versions import CompiledVersion
from kafka_format.protocol import values
from kafka_format.protocol.apis import Api

@overload
def request(
    api: Literal["alter_replica_log_dirs", "AlterReplicaLogDirs", 34], number: int
) -> CompiledVersion[values.AlterReplicaLogDirsRequest]: ...

@overload
def request(
    api: Literal["api_versions", "ApiVersions", 18], number: int
) -> CompiledVersion[values.ApiVersionsRequest]: ...

@overload
def request(
    api: Literal["describe_cluster", "DescribeCluster", 60], number: int
) -> CompiledVersion[values.DescribeClusterRequest]: ...

@overload
def request(
    api: Literal["describe_log_dirs", "DescribeLogDirs", 35], number: int
) -> CompiledVersion[values.DescribeLogDirsRequest]: ...

@overload
def request(
    api: Literal["describe_topic_partitions", "DescribeTopicPartitions", 75], number: int
) -> CompiledVersion[values.DescribeTopicPartitionsRequest]: ...

@overload
def request(
    api: Literal["metadata", "Metadata", 3], number: int
) -> CompiledVersion[values.MetadataRequest]: ...

@overload
def request(
    api: Literal["unregister_broker", "UnregisterBroker", 64], number: int
) -> CompiledVersion[values.UnregisterBrokerRequest]: ...

@overload
def request(
    api: Literal["unregister_controller", "UnregisterController", 94], number: int
) -> CompiledVersion[values.UnregisterControllerRequest]: ...

@overload
def request(
    api: Literal["update_features", "UpdateFeatures", 57], number: int
) -> CompiledVersion[values.UpdateFeaturesRequest]: ...

@overload
def request(
    api: Literal["alter_client_quotas", "AlterClientQuotas", 49], number: int
) -> CompiledVersion[values.AlterClientQuotasRequest]: ...

@overload
def request(
    api: Literal["alter_configs", "AlterConfigs", 33], number: int
) -> CompiledVersion[values.AlterConfigsRequest]: ...

@overload
def request(
    api: Literal["describe_client_quotas", "DescribeClientQuotas", 48], number: int
) -> CompiledVersion[values.DescribeClientQuotasRequest]: ...

@overload
def request(
    api: Literal["describe_configs", "DescribeConfigs", 32], number: int
) -> CompiledVersion[values.DescribeConfigsRequest]: ...

@overload
def request(
    api: Literal["get_telemetry_subscriptions", "GetTelemetrySubscriptions", 71], number: int
) -> CompiledVersion[values.GetTelemetrySubscriptionsRequest]: ...

@overload
def request(
    api: Literal["incremental_alter_configs", "IncrementalAlterConfigs", 44], number: int
) -> CompiledVersion[values.IncrementalAlterConfigsRequest]: ...

@overload
def request(
    api: Literal["list_config_resources", "ListConfigResources", 74], number: int
) -> CompiledVersion[values.ListConfigResourcesRequest]: ...

@overload
def request(
    api: Literal["push_telemetry", "PushTelemetry", 72], number: int
) -> CompiledVersion[values.PushTelemetryRequest]: ...

@overload
def request(
    api: Literal["allocate_producer_ids", "AllocateProducerIds", 67], number: int
) -> CompiledVersion[values.AllocateProducerIdsRequest]: ...

@overload
def request(
    api: Literal["alter_partition", "AlterPartition", 56], number: int
) -> CompiledVersion[values.AlterPartitionRequest]: ...

@overload
def request(
    api: Literal["assign_replicas_to_dirs", "AssignReplicasToDirs", 73], number: int
) -> CompiledVersion[values.AssignReplicasToDirsRequest]: ...

@overload
def request(
    api: Literal["broker_heartbeat", "BrokerHeartbeat", 63], number: int
) -> CompiledVersion[values.BrokerHeartbeatRequest]: ...

@overload
def request(
    api: Literal["broker_registration", "BrokerRegistration", 62], number: int
) -> CompiledVersion[values.BrokerRegistrationRequest]: ...

@overload
def request(
    api: Literal["controlled_shutdown", "ControlledShutdown", 7], number: int
) -> CompiledVersion[values.ControlledShutdownRequest]: ...

@overload
def request(
    api: Literal["controller_registration", "ControllerRegistration", 70], number: int
) -> CompiledVersion[values.ControllerRegistrationRequest]: ...

@overload
def request(
    api: Literal["envelope", "Envelope", 58], number: int
) -> CompiledVersion[values.EnvelopeRequest]: ...

@overload
def request(
    api: Literal["leader_and_isr", "LeaderAndIsr", 4], number: int
) -> CompiledVersion[values.LeaderAndIsrRequest]: ...

@overload
def request(
    api: Literal["stop_replica", "StopReplica", 5], number: int
) -> CompiledVersion[values.StopReplicaRequest]: ...

@overload
def request(
    api: Literal["update_metadata", "UpdateMetadata", 6], number: int
) -> CompiledVersion[values.UpdateMetadataRequest]: ...

@overload
def request(
    api: Literal["consumer_group_describe", "ConsumerGroupDescribe", 69], number: int
) -> CompiledVersion[values.ConsumerGroupDescribeRequest]: ...

@overload
def request(
    api: Literal["consumer_group_heartbeat", "ConsumerGroupHeartbeat", 68], number: int
) -> CompiledVersion[values.ConsumerGroupHeartbeatRequest]: ...

@overload
def request(
    api: Literal["delete_groups", "DeleteGroups", 42], number: int
) -> CompiledVersion[values.DeleteGroupsRequest]: ...

@overload
def request(
    api: Literal["describe_groups", "DescribeGroups", 15], number: int
) -> CompiledVersion[values.DescribeGroupsRequest]: ...

@overload
def request(
    api: Literal["find_coordinator", "FindCoordinator", 10], number: int
) -> CompiledVersion[values.FindCoordinatorRequest]: ...

@overload
def request(
    api: Literal["heartbeat", "Heartbeat", 12], number: int
) -> CompiledVersion[values.HeartbeatRequest]: ...

@overload
def request(
    api: Literal["join_group", "JoinGroup", 11], number: int
) -> CompiledVersion[values.JoinGroupRequest]: ...

@overload
def request(
    api: Literal["leave_group", "LeaveGroup", 13], number: int
) -> CompiledVersion[values.LeaveGroupRequest]: ...

@overload
def request(
    api: Literal["list_groups", "ListGroups", 16], number: int
) -> CompiledVersion[values.ListGroupsRequest]: ...

@overload
def request(
    api: Literal["offset_commit", "OffsetCommit", 8], number: int
) -> CompiledVersion[values.OffsetCommitRequest]: ...

@overload
def request(
    api: Literal["offset_delete", "OffsetDelete", 47], number: int
) -> CompiledVersion[values.OffsetDeleteRequest]: ...

@overload
def request(
    api: Literal["offset_fetch", "OffsetFetch", 9], number: int
) -> CompiledVersion[values.OffsetFetchRequest]: ...

@overload
def request(
    api: Literal["sync_group", "SyncGroup", 14], number: int
) -> CompiledVersion[values.SyncGroupRequest]: ...

@overload
def request(
    api: Literal["delete_records", "DeleteRecords", 21], number: int
) -> CompiledVersion[values.DeleteRecordsRequest]: ...

@overload
def request(
    api: Literal["describe_producers", "DescribeProducers", 61], number: int
) -> CompiledVersion[values.DescribeProducersRequest]: ...

@overload
def request(
    api: Literal["fetch", "Fetch", 1], number: int
) -> CompiledVersion[values.FetchRequest]: ...

@overload
def request(
    api: Literal["list_offsets", "ListOffsets", 2], number: int
) -> CompiledVersion[values.ListOffsetsRequest]: ...

@overload
def request(
    api: Literal["offset_for_leader_epoch", "OffsetForLeaderEpoch", 23], number: int
) -> CompiledVersion[values.OffsetForLeaderEpochRequest]: ...

@overload
def request(
    api: Literal["produce", "Produce", 0], number: int
) -> CompiledVersion[values.ProduceRequest]: ...

@overload
def request(
    api: Literal["add_raft_voter", "AddRaftVoter", 80], number: int
) -> CompiledVersion[values.AddRaftVoterRequest]: ...

@overload
def request(
    api: Literal["begin_quorum_epoch", "BeginQuorumEpoch", 53], number: int
) -> CompiledVersion[values.BeginQuorumEpochRequest]: ...

@overload
def request(
    api: Literal["describe_quorum", "DescribeQuorum", 55], number: int
) -> CompiledVersion[values.DescribeQuorumRequest]: ...

@overload
def request(
    api: Literal["end_quorum_epoch", "EndQuorumEpoch", 54], number: int
) -> CompiledVersion[values.EndQuorumEpochRequest]: ...

@overload
def request(
    api: Literal["fetch_snapshot", "FetchSnapshot", 59], number: int
) -> CompiledVersion[values.FetchSnapshotRequest]: ...

@overload
def request(
    api: Literal["remove_raft_voter", "RemoveRaftVoter", 81], number: int
) -> CompiledVersion[values.RemoveRaftVoterRequest]: ...

@overload
def request(
    api: Literal["update_raft_voter", "UpdateRaftVoter", 82], number: int
) -> CompiledVersion[values.UpdateRaftVoterRequest]: ...

@overload
def request(
    api: Literal["vote", "Vote", 52], number: int
) -> CompiledVersion[values.VoteRequest]: ...

@overload
def request(
    api: Literal["alter_user_scram_credentials", "AlterUserScramCredentials", 51], number: int
) -> CompiledVersion[values.AlterUserScramCredentialsRequest]: ...

@overload
def request(
    api: Literal["create_acls", "CreateAcls", 30], number: int
) -> CompiledVersion[values.CreateAclsRequest]: ...

@overload
def request(
    api: Literal["create_delegation_token", "CreateDelegationToken", 38], number: int
) -> CompiledVersion[values.CreateDelegationTokenRequest]: ...

@overload
def request(
    api: Literal["delete_acls", "DeleteAcls", 31], number: int
) -> CompiledVersion[values.DeleteAclsRequest]: ...

@overload
def request(
    api: Literal["describe_acls", "DescribeAcls", 29], number: int
) -> CompiledVersion[values.DescribeAclsRequest]: ...

@overload
def request(
    api: Literal["describe_delegation_token", "DescribeDelegationToken", 41], number: int
) -> CompiledVersion[values.DescribeDelegationTokenRequest]: ...

@overload
def request(
    api: Literal["describe_user_scram_credentials", "DescribeUserScramCredentials", 50], number: int
) -> CompiledVersion[values.DescribeUserScramCredentialsRequest]: ...

@overload
def request(
    api: Literal["expire_delegation_token", "ExpireDelegationToken", 40], number: int
) -> CompiledVersion[values.ExpireDelegationTokenRequest]: ...

@overload
def request(
    api: Literal["renew_delegation_token", "RenewDelegationToken", 39], number: int
) -> CompiledVersion[values.RenewDelegationTokenRequest]: ...

@overload
def request(
    api: Literal["sasl_authenticate", "SaslAuthenticate", 36], number: int
) -> CompiledVersion[values.SaslAuthenticateRequest]: ...

@overload
def request(
    api: Literal["sasl_handshake", "SaslHandshake", 17], number: int
) -> CompiledVersion[values.SaslHandshakeRequest]: ...

@overload
def request(
    api: Literal["alter_share_group_offsets", "AlterShareGroupOffsets", 91], number: int
) -> CompiledVersion[values.AlterShareGroupOffsetsRequest]: ...

@overload
def request(
    api: Literal["delete_share_group_offsets", "DeleteShareGroupOffsets", 92], number: int
) -> CompiledVersion[values.DeleteShareGroupOffsetsRequest]: ...

@overload
def request(
    api: Literal["delete_share_group_state", "DeleteShareGroupState", 86], number: int
) -> CompiledVersion[values.DeleteShareGroupStateRequest]: ...

@overload
def request(
    api: Literal["describe_share_group_offsets", "DescribeShareGroupOffsets", 90], number: int
) -> CompiledVersion[values.DescribeShareGroupOffsetsRequest]: ...

@overload
def request(
    api: Literal["initialize_share_group_state", "InitializeShareGroupState", 83], number: int
) -> CompiledVersion[values.InitializeShareGroupStateRequest]: ...

@overload
def request(
    api: Literal["read_share_group_state", "ReadShareGroupState", 84], number: int
) -> CompiledVersion[values.ReadShareGroupStateRequest]: ...

@overload
def request(
    api: Literal["read_share_group_state_summary", "ReadShareGroupStateSummary", 87], number: int
) -> CompiledVersion[values.ReadShareGroupStateSummaryRequest]: ...

@overload
def request(
    api: Literal["share_acknowledge", "ShareAcknowledge", 79], number: int
) -> CompiledVersion[values.ShareAcknowledgeRequest]: ...

@overload
def request(
    api: Literal["share_fetch", "ShareFetch", 78], number: int
) -> CompiledVersion[values.ShareFetchRequest]: ...

@overload
def request(
    api: Literal["share_group_describe", "ShareGroupDescribe", 77], number: int
) -> CompiledVersion[values.ShareGroupDescribeRequest]: ...

@overload
def request(
    api: Literal["share_group_heartbeat", "ShareGroupHeartbeat", 76], number: int
) -> CompiledVersion[values.ShareGroupHeartbeatRequest]: ...

@overload
def request(
    api: Literal["write_share_group_state", "WriteShareGroupState", 85], number: int
) -> CompiledVersion[values.WriteShareGroupStateRequest]: ...

@overload
def request(
    api: Literal["streams_group_describe", "StreamsGroupDescribe", 89], number: int
) -> CompiledVersion[values.StreamsGroupDescribeRequest]: ...

@overload
def request(
    api: Literal["streams_group_heartbeat", "StreamsGroupHeartbeat", 88], number: int
) -> CompiledVersion[values.StreamsGroupHeartbeatRequest]: ...

@overload
def request(
    api: Literal["streams_group_topology_description_update", "StreamsGroupTopologyDescriptionUpdate", 93], number: int
) -> CompiledVersion[values.StreamsGroupTopologyDescriptionUpdateRequest]: ...

@overload
def request(
    api: Literal["alter_partition_reassignments", "AlterPartitionReassignments", 45], number: int
) -> CompiledVersion[values.AlterPartitionReassignmentsRequest]: ...

@overload
def request(
    api: Literal["create_partitions", "CreatePartitions", 37], number: int
) -> CompiledVersion[values.CreatePartitionsRequest]: ...

@overload
def request(
    api: Literal["create_topics", "CreateTopics", 19], number: int
) -> CompiledVersion[values.CreateTopicsRequest]: ...

@overload
def request(
    api: Literal["delete_topics", "DeleteTopics", 20], number: int
) -> CompiledVersion[values.DeleteTopicsRequest]: ...

@overload
def request(
    api: Literal["elect_leaders", "ElectLeaders", 43], number: int
) -> CompiledVersion[values.ElectLeadersRequest]: ...

@overload
def request(
    api: Literal["list_partition_reassignments", "ListPartitionReassignments", 46], number: int
) -> CompiledVersion[values.ListPartitionReassignmentsRequest]: ...

@overload
def request(
    api: Literal["add_offsets_to_txn", "AddOffsetsToTxn", 25], number: int
) -> CompiledVersion[values.AddOffsetsToTxnRequest]: ...

@overload
def request(
    api: Literal["add_partitions_to_txn", "AddPartitionsToTxn", 24], number: int
) -> CompiledVersion[values.AddPartitionsToTxnRequest]: ...

@overload
def request(
    api: Literal["describe_transactions", "DescribeTransactions", 65], number: int
) -> CompiledVersion[values.DescribeTransactionsRequest]: ...

@overload
def request(
    api: Literal["end_txn", "EndTxn", 26], number: int
) -> CompiledVersion[values.EndTxnRequest]: ...

@overload
def request(
    api: Literal["init_producer_id", "InitProducerId", 22], number: int
) -> CompiledVersion[values.InitProducerIdRequest]: ...

@overload
def request(
    api: Literal["list_transactions", "ListTransactions", 66], number: int
) -> CompiledVersion[values.ListTransactionsRequest]: ...

@overload
def request(
    api: Literal["txn_offset_commit", "TxnOffsetCommit", 28], number: int
) -> CompiledVersion[values.TxnOffsetCommitRequest]: ...

@overload
def request(
    api: Literal["write_txn_markers", "WriteTxnMarkers", 27], number: int
) -> CompiledVersion[values.WriteTxnMarkersRequest]: ...

@overload
def request(api: Api, number: int) -> CompiledVersion[Any]: ...

@overload
def response(
    api: Literal["alter_replica_log_dirs", "AlterReplicaLogDirs", 34], number: int
) -> CompiledVersion[values.AlterReplicaLogDirsResponse]: ...

@overload
def response(
    api: Literal["api_versions", "ApiVersions", 18], number: int
) -> CompiledVersion[values.ApiVersionsResponse]: ...

@overload
def response(
    api: Literal["describe_cluster", "DescribeCluster", 60], number: int
) -> CompiledVersion[values.DescribeClusterResponse]: ...

@overload
def response(
    api: Literal["describe_log_dirs", "DescribeLogDirs", 35], number: int
) -> CompiledVersion[values.DescribeLogDirsResponse]: ...

@overload
def response(
    api: Literal["describe_topic_partitions", "DescribeTopicPartitions", 75], number: int
) -> CompiledVersion[values.DescribeTopicPartitionsResponse]: ...

@overload
def response(
    api: Literal["metadata", "Metadata", 3], number: int
) -> CompiledVersion[values.MetadataResponse]: ...

@overload
def response(
    api: Literal["unregister_broker", "UnregisterBroker", 64], number: int
) -> CompiledVersion[values.UnregisterBrokerResponse]: ...

@overload
def response(
    api: Literal["unregister_controller", "UnregisterController", 94], number: int
) -> CompiledVersion[values.UnregisterControllerResponse]: ...

@overload
def response(
    api: Literal["update_features", "UpdateFeatures", 57], number: int
) -> CompiledVersion[values.UpdateFeaturesResponse]: ...

@overload
def response(
    api: Literal["alter_client_quotas", "AlterClientQuotas", 49], number: int
) -> CompiledVersion[values.AlterClientQuotasResponse]: ...

@overload
def response(
    api: Literal["alter_configs", "AlterConfigs", 33], number: int
) -> CompiledVersion[values.AlterConfigsResponse]: ...

@overload
def response(
    api: Literal["describe_client_quotas", "DescribeClientQuotas", 48], number: int
) -> CompiledVersion[values.DescribeClientQuotasResponse]: ...

@overload
def response(
    api: Literal["describe_configs", "DescribeConfigs", 32], number: int
) -> CompiledVersion[values.DescribeConfigsResponse]: ...

@overload
def response(
    api: Literal["get_telemetry_subscriptions", "GetTelemetrySubscriptions", 71], number: int
) -> CompiledVersion[values.GetTelemetrySubscriptionsResponse]: ...

@overload
def response(
    api: Literal["incremental_alter_configs", "IncrementalAlterConfigs", 44], number: int
) -> CompiledVersion[values.IncrementalAlterConfigsResponse]: ...

@overload
def response(
    api: Literal["list_config_resources", "ListConfigResources", 74], number: int
) -> CompiledVersion[values.ListConfigResourcesResponse]: ...

@overload
def response(
    api: Literal["push_telemetry", "PushTelemetry", 72], number: int
) -> CompiledVersion[values.PushTelemetryResponse]: ...

@overload
def response(
    api: Literal["allocate_producer_ids", "AllocateProducerIds", 67], number: int
) -> CompiledVersion[values.AllocateProducerIdsResponse]: ...

@overload
def response(
    api: Literal["alter_partition", "AlterPartition", 56], number: int
) -> CompiledVersion[values.AlterPartitionResponse]: ...

@overload
def response(
    api: Literal["assign_replicas_to_dirs", "AssignReplicasToDirs", 73], number: int
) -> CompiledVersion[values.AssignReplicasToDirsResponse]: ...

@overload
def response(
    api: Literal["broker_heartbeat", "BrokerHeartbeat", 63], number: int
) -> CompiledVersion[values.BrokerHeartbeatResponse]: ...

@overload
def response(
    api: Literal["broker_registration", "BrokerRegistration", 62], number: int
) -> CompiledVersion[values.BrokerRegistrationResponse]: ...

@overload
def response(
    api: Literal["controlled_shutdown", "ControlledShutdown", 7], number: int
) -> CompiledVersion[values.ControlledShutdownResponse]: ...

@overload
def response(
    api: Literal["controller_registration", "ControllerRegistration", 70], number: int
) -> CompiledVersion[values.ControllerRegistrationResponse]: ...

@overload
def response(
    api: Literal["envelope", "Envelope", 58], number: int
) -> CompiledVersion[values.EnvelopeResponse]: ...

@overload
def response(
    api: Literal["leader_and_isr", "LeaderAndIsr", 4], number: int
) -> CompiledVersion[values.LeaderAndIsrResponse]: ...

@overload
def response(
    api: Literal["stop_replica", "StopReplica", 5], number: int
) -> CompiledVersion[values.StopReplicaResponse]: ...

@overload
def response(
    api: Literal["update_metadata", "UpdateMetadata", 6], number: int
) -> CompiledVersion[values.UpdateMetadataResponse]: ...

@overload
def response(
    api: Literal["consumer_group_describe", "ConsumerGroupDescribe", 69], number: int
) -> CompiledVersion[values.ConsumerGroupDescribeResponse]: ...

@overload
def response(
    api: Literal["consumer_group_heartbeat", "ConsumerGroupHeartbeat", 68], number: int
) -> CompiledVersion[values.ConsumerGroupHeartbeatResponse]: ...

@overload
def response(
    api: Literal["delete_groups", "DeleteGroups", 42], number: int
) -> CompiledVersion[values.DeleteGroupsResponse]: ...

@overload
def response(
    api: Literal["describe_groups", "DescribeGroups", 15], number: int
) -> CompiledVersion[values.DescribeGroupsResponse]: ...

@overload
def response(
    api: Literal["find_coordinator", "FindCoordinator", 10], number: int
) -> CompiledVersion[values.FindCoordinatorResponse]: ...

@overload
def response(
    api: Literal["heartbeat", "Heartbeat", 12], number: int
) -> CompiledVersion[values.HeartbeatResponse]: ...

@overload
def response(
    api: Literal["join_group", "JoinGroup", 11], number: int
) -> CompiledVersion[values.JoinGroupResponse]: ...

@overload
def response(
    api: Literal["leave_group", "LeaveGroup", 13], number: int
) -> CompiledVersion[values.LeaveGroupResponse]: ...

@overload
def response(
    api: Literal["list_groups", "ListGroups", 16], number: int
) -> CompiledVersion[values.ListGroupsResponse]: ...

@overload
def response(
    api: Literal["offset_commit", "OffsetCommit", 8], number: int
) -> CompiledVersion[values.OffsetCommitResponse]: ...

@overload
def response(
    api: Literal["offset_delete", "OffsetDelete", 47], number: int
) -> CompiledVersion[values.OffsetDeleteResponse]: ...

@overload
def response(
    api: Literal["offset_fetch", "OffsetFetch", 9], number: int
) -> CompiledVersion[values.OffsetFetchResponse]: ...

@overload
def response(
    api: Literal["sync_group", "SyncGroup", 14], number: int
) -> CompiledVersion[values.SyncGroupResponse]: ...

@overload
def response(
    api: Literal["delete_records", "DeleteRecords", 21], number: int
) -> CompiledVersion[values.DeleteRecordsResponse]: ...

@overload
def response(
    api: Literal["describe_producers", "DescribeProducers", 61], number: int
) -> CompiledVersion[values.DescribeProducersResponse]: ...

@overload
def response(
    api: Literal["fetch", "Fetch", 1], number: int
) -> CompiledVersion[values.FetchResponse]: ...

@overload
def response(
    api: Literal["list_offsets", "ListOffsets", 2], number: int
) -> CompiledVersion[values.ListOffsetsResponse]: ...

@overload
def response(
    api: Literal["offset_for_leader_epoch", "OffsetForLeaderEpoch", 23], number: int
) -> CompiledVersion[values.OffsetForLeaderEpochResponse]: ...

@overload
def response(
    api: Literal["produce", "Produce", 0], number: int
) -> CompiledVersion[values.ProduceResponse]: ...

@overload
def response(
    api: Literal["add_raft_voter", "AddRaftVoter", 80], number: int
) -> CompiledVersion[values.AddRaftVoterResponse]: ...

@overload
def response(
    api: Literal["begin_quorum_epoch", "BeginQuorumEpoch", 53], number: int
) -> CompiledVersion[values.BeginQuorumEpochResponse]: ...

@overload
def response(
    api: Literal["describe_quorum", "DescribeQuorum", 55], number: int
) -> CompiledVersion[values.DescribeQuorumResponse]: ...

@overload
def response(
    api: Literal["end_quorum_epoch", "EndQuorumEpoch", 54], number: int
) -> CompiledVersion[values.EndQuorumEpochResponse]: ...

@overload
def response(
    api: Literal["fetch_snapshot", "FetchSnapshot", 59], number: int
) -> CompiledVersion[values.FetchSnapshotResponse]: ...

@overload
def response(
    api: Literal["remove_raft_voter", "RemoveRaftVoter", 81], number: int
) -> CompiledVersion[values.RemoveRaftVoterResponse]: ...

@overload
def response(
    api: Literal["update_raft_voter", "UpdateRaftVoter", 82], number: int
) -> CompiledVersion[values.UpdateRaftVoterResponse]: ...

@overload
def response(
    api: Literal["vote", "Vote", 52], number: int
) -> CompiledVersion[values.VoteResponse]: ...

@overload
def response(
    api: Literal["alter_user_scram_credentials", "AlterUserScramCredentials", 51], number: int
) -> CompiledVersion[values.AlterUserScramCredentialsResponse]: ...

@overload
def response(
    api: Literal["create_acls", "CreateAcls", 30], number: int
) -> CompiledVersion[values.CreateAclsResponse]: ...

@overload
def response(
    api: Literal["create_delegation_token", "CreateDelegationToken", 38], number: int
) -> CompiledVersion[values.CreateDelegationTokenResponse]: ...

@overload
def response(
    api: Literal["delete_acls", "DeleteAcls", 31], number: int
) -> CompiledVersion[values.DeleteAclsResponse]: ...

@overload
def response(
    api: Literal["describe_acls", "DescribeAcls", 29], number: int
) -> CompiledVersion[values.DescribeAclsResponse]: ...

@overload
def response(
    api: Literal["describe_delegation_token", "DescribeDelegationToken", 41], number: int
) -> CompiledVersion[values.DescribeDelegationTokenResponse]: ...

@overload
def response(
    api: Literal["describe_user_scram_credentials", "DescribeUserScramCredentials", 50], number: int
) -> CompiledVersion[values.DescribeUserScramCredentialsResponse]: ...

@overload
def response(
    api: Literal["expire_delegation_token", "ExpireDelegationToken", 40], number: int
) -> CompiledVersion[values.ExpireDelegationTokenResponse]: ...

@overload
def response(
    api: Literal["renew_delegation_token", "RenewDelegationToken", 39], number: int
) -> CompiledVersion[values.RenewDelegationTokenResponse]: ...

@overload
def response(
    api: Literal["sasl_authenticate", "SaslAuthenticate", 36], number: int
) -> CompiledVersion[values.SaslAuthenticateResponse]: ...

@overload
def response(
    api: Literal["sasl_handshake", "SaslHandshake", 17], number: int
) -> CompiledVersion[values.SaslHandshakeResponse]: ...

@overload
def response(
    api: Literal["alter_share_group_offsets", "AlterShareGroupOffsets", 91], number: int
) -> CompiledVersion[values.AlterShareGroupOffsetsResponse]: ...

@overload
def response(
    api: Literal["delete_share_group_offsets", "DeleteShareGroupOffsets", 92], number: int
) -> CompiledVersion[values.DeleteShareGroupOffsetsResponse]: ...

@overload
def response(
    api: Literal["delete_share_group_state", "DeleteShareGroupState", 86], number: int
) -> CompiledVersion[values.DeleteShareGroupStateResponse]: ...

@overload
def response(
    api: Literal["describe_share_group_offsets", "DescribeShareGroupOffsets", 90], number: int
) -> CompiledVersion[values.DescribeShareGroupOffsetsResponse]: ...

@overload
def response(
    api: Literal["initialize_share_group_state", "InitializeShareGroupState", 83], number: int
) -> CompiledVersion[values.InitializeShareGroupStateResponse]: ...

@overload
def response(
    api: Literal["read_share_group_state", "ReadShareGroupState", 84], number: int
) -> CompiledVersion[values.ReadShareGroupStateResponse]: ...

@overload
def response(
    api: Literal["read_share_group_state_summary", "ReadShareGroupStateSummary", 87], number: int
) -> CompiledVersion[values.ReadShareGroupStateSummaryResponse]: ...

@overload
def response(
    api: Literal["share_acknowledge", "ShareAcknowledge", 79], number: int
) -> CompiledVersion[values.ShareAcknowledgeResponse]: ...

@overload
def response(
    api: Literal["share_fetch", "ShareFetch", 78], number: int
) -> CompiledVersion[values.ShareFetchResponse]: ...

@overload
def response(
    api: Literal["share_group_describe", "ShareGroupDescribe", 77], number: int
) -> CompiledVersion[values.ShareGroupDescribeResponse]: ...

@overload
def response(
    api: Literal["share_group_heartbeat", "ShareGroupHeartbeat", 76], number: int
) -> CompiledVersion[values.ShareGroupHeartbeatResponse]: ...

@overload
def response(
    api: Literal["write_share_group_state", "WriteShareGroupState", 85], number: int
) -> CompiledVersion[values.WriteShareGroupStateResponse]: ...

@overload
def response(
    api: Literal["streams_group_describe", "StreamsGroupDescribe", 89], number: int
) -> CompiledVersion[values.StreamsGroupDescribeResponse]: ...

@overload
def response(
    api: Literal["streams_group_heartbeat", "StreamsGroupHeartbeat", 88], number: int
) -> CompiledVersion[values.StreamsGroupHeartbeatResponse]: ...

@overload
def response(
    api: Literal["streams_group_topology_description_update", "StreamsGroupTopologyDescriptionUpdate", 93], number: int
) -> CompiledVersion[values.StreamsGroupTopologyDescriptionUpdateResponse]: ...

@overload
def response(
    api: Literal["alter_partition_reassignments", "AlterPartitionReassignments", 45], number: int
) -> CompiledVersion[values.AlterPartitionReassignmentsResponse]: ...

@overload
def response(
    api: Literal["create_partitions", "CreatePartitions", 37], number: int
) -> CompiledVersion[values.CreatePartitionsResponse]: ...

@overload
def response(
    api: Literal["create_topics", "CreateTopics", 19], number: int
) -> CompiledVersion[values.CreateTopicsResponse]: ...

@overload
def response(
    api: Literal["delete_topics", "DeleteTopics", 20], number: int
) -> CompiledVersion[values.DeleteTopicsResponse]: ...

@overload
def response(
    api: Literal["elect_leaders", "ElectLeaders", 43], number: int
) -> CompiledVersion[values.ElectLeadersResponse]: ...

@overload
def response(
    api: Literal["list_partition_reassignments", "ListPartitionReassignments", 46], number: int
) -> CompiledVersion[values.ListPartitionReassignmentsResponse]: ...

@overload
def response(
    api: Literal["add_offsets_to_txn", "AddOffsetsToTxn", 25], number: int
) -> CompiledVersion[values.AddOffsetsToTxnResponse]: ...

@overload
def response(
    api: Literal["add_partitions_to_txn", "AddPartitionsToTxn", 24], number: int
) -> CompiledVersion[values.AddPartitionsToTxnResponse]: ...

@overload
def response(
    api: Literal["describe_transactions", "DescribeTransactions", 65], number: int
) -> CompiledVersion[values.DescribeTransactionsResponse]: ...

@overload
def response(
    api: Literal["end_txn", "EndTxn", 26], number: int
) -> CompiledVersion[values.EndTxnResponse]: ...

@overload
def response(
    api: Literal["init_producer_id", "InitProducerId", 22], number: int
) -> CompiledVersion[values.InitProducerIdResponse]: ...

@overload
def response(
    api: Literal["list_transactions", "ListTransactions", 66], number: int
) -> CompiledVersion[values.ListTransactionsResponse]: ...

@overload
def response(
    api: Literal["txn_offset_commit", "TxnOffsetCommit", 28], number: int
) -> CompiledVersion[values.TxnOffsetCommitResponse]: ...

@overload
def response(
    api: Literal["write_txn_markers", "WriteTxnMarkers", 27], number: int
) -> CompiledVersion[values.WriteTxnMarkersResponse]: ...

@overload
def response(api: Api, number: int) -> CompiledVersion[Any]: ...

def schema(name: str, number: int) -> CompiledVersion[Any]: ...

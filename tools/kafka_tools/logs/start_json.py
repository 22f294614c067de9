"""What a node does at its start, as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kafka_format.log.start import DirectoryFault, Fault, Hints, MetadataStart, Node, PartitionStart, Start, StartFate
from kafka_format.log.start.outcome import NOT_NAMED
from kafka_format.log.verification import Breach

from kafka_tools.logs.start_advice import advice, advice_on_stray
from kafka_tools.logs.start_partitions_text import is_new_stray


def document(
    node: Node, start: Start, hints: Sequence[tuple[Path, Hints]], assumed: Sequence[str] = ()
) -> dict[str, Any]:
    """Return what a start does, with paths as they were given; `assumed` as for `start_text`."""
    return {
        "directories": [str(directory) for directory in node.directories],
        "release": ".".join(map(str, node.release)),
        "role": str(node.role),
        "verdict": str(start.verdict),
        "fault": _fault(start.fault),
        "nothing_lost": start.loses_nothing and all(found.is_harmless for _, found in hints),
        "clean_stop": start.is_clean,
        "offline": [_offline(each) | {"others": [_offline(other) for other in each.others]} for each in start.offline],
        "metadata": _metadata(start.metadata),
        "partitions": [_partition(each) for each in start.partitions],
        "not_loaded": [
            {
                "partition": each.partition,
                "file": str(each.path),
                "offset": each.offset,
                "position": each.position,
                "error": str(each.error),
                "costs": each.effect,
            }
            for each in start.not_served
        ],
        "notes": [{"kind": kind, "file": str(path), "detail": detail} for kind, path, detail in start.notes],
        "not_looked_at": start.not_looked_at,
        "assumed": list(assumed),
        "bytes_to_read": start.read_bytes,
        "hints": {
            name: [_breach(each) for _, found in hints for each in getattr(found, name)]
            for name in ("lies", "unnoticed", "misplaced", "orphans", "others")
        },
    }


def _offline(fault: DirectoryFault) -> dict[str, Any]:
    return {"directory": str(fault.directory), "file": str(fault.path), "error": str(fault.error)}


def _fault(fault: Fault | None) -> dict[str, Any] | None:
    if fault is None:
        return None
    return {
        "kind": fault.kind,
        "file": str(fault.path),
        "offset": fault.offset,
        "position": fault.position,
        "error": None if fault.error is None else str(fault.error),
        "known": dict(fault.known),
        "to_do": advice(fault),
        "others": [_fault(each) for each in fault.others],
    }


def _metadata(metadata: MetadataStart | None) -> dict[str, Any] | None:
    if metadata is None:
        return None
    return {
        "snapshot": None if metadata.snapshot is None else str(metadata.snapshot),
        "end_offset": metadata.end_offset,
        "lost_from": metadata.lost_from,
        "log_removed": metadata.is_removed,
        "aborted_transaction": metadata.aborted,
        "passed_over": [{"offset": offset, "error": str(error)} for offset, error in metadata.passed_over],
        "deleted": [str(path) for path in metadata.deleted],
    }


def _partition(each: PartitionStart) -> dict[str, Any]:
    segments = each.recovery.segments if each.recovery is not None else ()
    return {
        "folder": str(each.path),
        "fate": str(each.fate),
        "start_offset": each.start_offset,
        "end_offset": each.end_offset,
        "high_watermark": each.high_watermark,
        "why": each.why or None,
        "error": None if each.error is None else str(each.error),
        "lost_bytes": each.lost_bytes,
        "begins_empty": None if each.why == NOT_NAMED else each.fate is StartFate.ABSENT or is_new_stray(each),
        "to_do": advice_on_stray(each) if is_new_stray(each) else None,
        "segments_read": [
            {"file": str(part.segment.path), "fate": str(part.fate), "lost_bytes": part.lost_bytes} for part in segments
        ],
    }


def _breach(breach: Breach) -> dict[str, Any]:
    place = {"position": breach.position, "offset": breach.offset}
    return {"rule": breach.rule, "file": str(breach.path), **place, "detail": breach.detail}

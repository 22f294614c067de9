"""Reports of a run: at a terminal, and as files for people, programs and build servers.

- `folder`: a run as files: `json_report`, `junit`, `markdown`, `badges`, and `html`, a site
- `terminal`: a run on the screen; `progress`: while it lasts
- `causes`, `changes`, `result_text`, `severity`, `summary`: what all of them say
- `hexdump`, `marked_dump`, `origins`: the bytes of a finding
- `explained_json`, `capture_rows`, `protocol_json`: bytes explained, captured, decoded
"""

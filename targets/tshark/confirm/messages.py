"""Wireshark: what `tshark` complains about in a message, in a capture that text2pcap makes.

Arguments: request or response, API, version, file. In front of a response stands a request that is
a header and zeros, since Wireshark looks for the one that it answers. Bytes that it calls missing
are told of responses.
"""

import struct
import subprocess
import sys
import tempfile
from pathlib import Path

kind, api, version = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
data = Path(sys.argv[4]).read_bytes()
messages = [("I", data)]
if kind == "response":
    asked = struct.pack(">hh", api, version) + data[:4] + b"\xff\xff" + bytes(64)
    messages = [("I", asked), ("O", data)]
lines = (f"{way}\n000000 {(struct.pack('>i', len(message)) + message).hex(' ')}\n" for way, message in messages)
with tempfile.TemporaryDirectory() as folder:
    text, capture = Path(folder, "frame.txt"), Path(folder, "frame.pcap")
    text.write_text("".join(lines), encoding="ascii")
    subprocess.run(["text2pcap", "-q", "-D", "-T", "50000,9092", text, capture], check=True, capture_output=True)  # noqa: S607 - where the PATH says
    shown = subprocess.run(["tshark", "-n", "-V", "-r", capture], check=True, capture_output=True, text=True).stdout  # noqa: S607 - where the PATH says
for line in shown[shown.rindex("\nKafka") :].splitlines():
    is_missing = kind == "response" and "<MISSING>" in line
    if is_missing or "Expert Info" in line or "Malformed Packet" in line or line.startswith("Kafka ("):
        print(line.strip())

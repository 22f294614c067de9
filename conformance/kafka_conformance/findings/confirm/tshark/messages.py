"""Wireshark: what `tshark` complains about in a request, in a capture that text2pcap makes.

Arguments: request, API, version, file.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

data = Path(sys.argv[4]).read_bytes()
frame = len(data).to_bytes(4, "big") + data
with tempfile.TemporaryDirectory() as folder:
    text, capture = Path(folder, "frame.txt"), Path(folder, "frame.pcap")
    text.write_text(f"000000 {frame.hex(' ')}\n", encoding="ascii")
    subprocess.run(["text2pcap", "-q", "-T", "50000,9092", text, capture], check=True, capture_output=True)  # noqa: S607
    shown = subprocess.run(["tshark", "-n", "-V", "-r", capture], check=True, capture_output=True, text=True).stdout  # noqa: S607
said = shown[shown.index("\nKafka") :].splitlines()
for line in said:
    if "Expert Info" in line or "Malformed Packet" in line or line.startswith("Kafka ("):
        print(line.strip())

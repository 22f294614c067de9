"""A tshark that dissects packet after packet, each as soon as it is there."""

import os
import shutil
import subprocess
import tempfile
from typing import NoReturn
from xml.etree import ElementTree as ET

from packets import HEAD, connection


def tshark() -> str:
    """Return where the program is."""
    return shutil.which("tshark") or "tshark"


class Dissector:
    """A tshark that dissects packet after packet."""

    def __init__(self) -> None:
        """Start it. It reads nobody's preferences, and looks up no names."""
        self.connections = 0
        self._home = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [tshark(), "-n", "-l", "-r", "-", "-T", "pdml", "-J", "kafka"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "WIRESHARK_CONFIG_DIR": self._home.name, "LC_ALL": "C.UTF-8"},
        )
        self._put(HEAD)

    def dissect(self, *said: bytes) -> ET.Element:
        """Return the last packet of a connection on which this was said, as PDML has it."""
        self.connections += 1
        packet = ET.Element("packet")
        for data in connection(self.connections, *said):
            self._put(data)
            packet = self._take()
        return packet

    def close(self) -> None:
        """End it."""
        if self._process.stdin and self._process.stdout:
            self._process.stdin.close()
            self._process.stdout.read()
        self._process.wait()
        self._home.cleanup()

    def _put(self, data: bytes) -> None:
        if self._process.stdin is None:
            self._is_lost()
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except BrokenPipeError:
            self._is_lost()

    def _take(self) -> ET.Element:
        """Return the next packet; the head of the document stands in front of the first."""
        lines: list[bytes] = []
        for line in self._process.stdout or ():
            if line.startswith(b"<packet>"):
                lines = []
            lines.append(line)
            if line.startswith(b"</packet>"):
                return ET.fromstring(b"".join(lines))  # noqa: S314 - what tshark writes is no document of anybody's
        return self._is_lost()

    def _is_lost(self) -> NoReturn:
        """End as tshark did, so that the suite sees a crash."""
        status = self._process.wait()
        if status < 0:
            os.kill(os.getpid(), -status)
        raise SystemExit(f"tshark ended with status {status}")

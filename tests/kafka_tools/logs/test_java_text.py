"""Bytes as text, as the JDK 17 decodes them: what is expected here comes from `new String`."""

import pytest
from kafka_tools.logs import java_text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("eda080", "\ufffd"),
        ("edbfbf41", "\ufffdA"),
        ("eda0", "\ufffd"),
        ("eda041", "\ufffdA"),
        ("eda0eda080", "\ufffd\ufffd"),
        ("ed41", "\ufffdA"),
        ("ed", "\ufffd"),
        ("ed9f8f", "\ud7cf"),
        ("e08080", "\ufffd\ufffd\ufffd"),
        ("f0908041", "\ufffdA"),
        ("f4908080", "\ufffd\ufffd\ufffd\ufffd"),
        ("c080", "\ufffd\ufffd"),
        ("f09f9880", "\U0001f600"),
        ("", ""),
    ],
)
def test_what_is_not_utf_8_is_replaced_as_in_java(content: str, text: str) -> None:
    assert java_text.decode(bytes.fromhex(content)) == text

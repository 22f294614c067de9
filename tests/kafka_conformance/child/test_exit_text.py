import pytest
from kafka_conformance.child.exit_text import stderr_words

NODE = """node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'kafkajs/src/protocol/decoder'
Require stack:
- /targets/kafkajs/decoder.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Object.<anonymous> (/targets/kafkajs/decoder.js:12:17) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/targets/kafkajs/decoder.js' ]
}

Node.js v20.20.2
"""
JAVA = """Exception in thread "main" java.lang.NoSuchMethodError: 'void org.apache.kafka.Old.get()'
\tat org.kafkaconformance.Main.run(Main.java:20)
\tat org.kafkaconformance.Main.main(Main.java:12)
\tat java.base/java.lang.Thread.run(Thread.java:840)
"""
GO = """panic: runtime error: index out of range [4] with length 4

goroutine 1 [running]:
main.main()
\t/targets/adapter/main.go:12 +0x18
exit status 2
"""
PYTHON = """Traceback (most recent call last):
  File "toy.py", line 21, in <module>
    from toy import gone
ImportError: cannot import name 'gone' from 'toy'
"""


@pytest.mark.parametrize(("text", "quoted"), [("", ""), ("\n \n", "")])
def test_nothing_is_quoted_of_nothing(text: str, quoted: str) -> None:
    assert stderr_words(text) == quoted


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (NODE, "Error: Cannot find module 'kafkajs/src/protocol/decoder'"),
        (JAVA, JAVA.splitlines()[0]),
        (GO, "panic: runtime error: index out of range [4] with length 4"),
    ],
)
def test_the_line_that_says_what_is_wrong_is_quoted_alone_if_a_tail_stands_behind_it(text: str, quoted: str) -> None:
    assert stderr_words(text) == f"; on standard error: {quoted}"


def test_of_a_short_end_all_is_quoted() -> None:
    assert stderr_words(PYTHON).endswith("from toy import gone / ImportError: cannot import name 'gone' from 'toy'")
    assert stderr_words("no toy here") == "; on standard error: no toy here"

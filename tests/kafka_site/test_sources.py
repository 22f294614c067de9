from kafka_format.spec.rules import rules
from kafka_site import sources

KAFKA = "https://github.com/apache/kafka/blob/"


def test_what_nobody_knows_stays_text() -> None:
    assert sources.linked("JDK GZIPInputStream; <b>") == "JDK GZIPInputStream; &lt;b&gt;"


def test_a_class_leads_to_its_line_and_a_proposal_to_the_wiki() -> None:
    made = sources.linked("KIP-98; clients DefaultRecordBatch.computeChecksum")
    assert 'display/KAFKA/KIP-98+-+Exactly+Once+Delivery+and+Transactional+Messaging">KIP-98</a>' in made
    assert f'<a href="{KAFKA}' in made
    assert "DefaultRecordBatch.java#L" in made


def test_an_old_release_leads_to_its_own_code() -> None:
    assert f"{KAFKA}kafka-0.7.2-" in sources.linked("kafka.message.Message.isValid (0.7.2)")


def test_rfcs_and_tickets_have_their_own_places() -> None:
    made = sources.linked("RFC 1952 2.3.1; KAFKA-5490")
    assert 'href="https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1"' in made
    assert 'href="https://issues.apache.org/jira/browse/KAFKA-5490"' in made


def test_the_line_of_a_method_is_that_of_its_definition() -> None:
    before = "public class A {\n    int b = C.find(x);\n    // find(y)\n"
    text = f"{before}    public int find(byte[] x) {{\n        return find(y);\n"
    assert sources._line(text, "A", "find") == 4
    assert sources._line(text, "A", "") == 1
    assert sources._line(text, "A", "gone") == 0


def test_each_rule_says_why() -> None:
    assert [rule.id for rule in rules().values() if not rule.why] == []

from docutils.core import publish_doctree
from kafka_site.sharing import description, tags


def test_the_description_is_the_first_paragraph_cut_at_a_word():
    assert description(publish_doctree("Title\n=====\n\nOne\ntwo.\n\nThree.")) == "One two."
    long = description(publish_doctree("word " * 100))
    assert len(long) <= 202
    assert long.endswith("word …")
    assert description(publish_doctree("")) == ""


def test_tags_are_escaped_and_name_no_address_that_nobody_knows():
    made = tags("v2", 'a "b" <c>', "site")
    assert 'content="a &quot;b&quot; &lt;c&gt;"' in made
    assert "og:url" not in made
    assert 'property="og:url" content="https://a/b.html"' in tags("v2", "", "site", "https://a/b.html")

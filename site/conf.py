"""Settings of the site; `make site` writes its pages first and then runs Sphinx with these."""

project = "Kafka format conformance"
author = "The Kafka format conformance maintainers"
copyright = author  # noqa: A001 - Sphinx calls it that
extensions = ["myst_parser", "kafka_site.domain", "kafka_site.accessibility", "kafka_site.sharing"]
myst_enable_extensions = ["attrs_block", "deflist"]
myst_heading_anchors = 3
primary_domain = "kafka"
nitpicky = True
html_theme = "furo"
html_title = "Kafka format conformance"
html_favicon = "_static/icon.svg"
html_static_path = ["_static"]
html_extra_path = ["_extra"]  # pages that are HTML already
exclude_patterns = ["_extra", "_templates"]
templates_path = ["_templates"]  # the search, if npm brought its library
html_css_files = ["site.css", "decoder.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"footer_icons": [], "top_of_page_buttons": []}

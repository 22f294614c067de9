"""The scripts of site/decoder as one: a page that is opened from the disk can load no modules."""

from __future__ import annotations

from pathlib import Path

from kafka_site.templates import SITE

SOURCES = SITE / "decoder"

_FRAME = """\
(function () {{
'use strict';
const sources = {{
{sources}
}};
const loaded = {{}};
function load(name) {{
  if (!(name in loaded)) {{
    loaded[name] = {{ exports: {{}} }};
    sources[name](loaded[name], load);
  }}
  return loaded[name].exports;
}}
globalThis.kafkaDecoder = load('{main}');
}}());
"""


def bundle(main: str, folder: Path = SOURCES) -> str:
    """Return a script that runs a module with all that it requires.

    Args:
        main: the module, as others would require it: `./page.js`.
        folder: where the modules are; those of the decoder if it is left out.
    """
    files = [file for file in sorted(folder.glob("*.js")) if file.name != "adapter.js"]
    sources = ",\n".join(_wrap(file) for file in files)
    return _FRAME.format(sources=sources, main=main)


def _wrap(file: Path) -> str:
    return f"'./{file.name}': function (module, require) {{\n{file.read_text(encoding='utf-8')}}}"

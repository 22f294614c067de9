"""Pictures as SVG inside the pages: they take the colours of the page, and open without scripts."""

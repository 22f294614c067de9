"""The site: pages made from layouts, rules, vectors and code, and those written in site/text."""

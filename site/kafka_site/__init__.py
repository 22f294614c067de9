"""The site: pages made from the layouts, rules, vectors and code, beside those written by hand in site/text."""

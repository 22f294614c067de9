"""The pages that are made: a module for each kind, whose `pages(site)` returns them."""

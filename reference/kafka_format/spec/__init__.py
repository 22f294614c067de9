"""The specification as objects: layouts, rules, flags and releases, read from YAML."""

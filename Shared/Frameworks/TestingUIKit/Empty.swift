// Nothing: see README.md.

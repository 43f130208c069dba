// This module is empty. See README.md.

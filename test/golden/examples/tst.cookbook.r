cookbook.md: all commands run

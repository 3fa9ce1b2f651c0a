README.md: all commands run

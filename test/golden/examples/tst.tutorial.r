tutorial.md: all commands run

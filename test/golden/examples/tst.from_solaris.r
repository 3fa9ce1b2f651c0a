from-solaris.md: all commands run

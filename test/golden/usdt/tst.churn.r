static probes: as many files are open as before
stacks: as many files are open as before
each fired

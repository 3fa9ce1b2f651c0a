a command: nothing is left
its daemon: still there
the preprocessor: nothing is left
random moments: nothing is left

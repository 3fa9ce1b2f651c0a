from idle to idle 0

2 lines that are the same
mostly the user 1, idle 0, idle in a program 0


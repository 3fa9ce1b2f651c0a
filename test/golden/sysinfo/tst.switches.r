from idle to idle 0

2 lines that are the same
ticks 10.., of a hundred the user has 60.., idle 0, idle in a program 0


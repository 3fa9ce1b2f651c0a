exec exece: 1
exece execve: 1
execve exec: 1
exec exece execve: 1
execve execve: 2
exec: 1
1
1

Bad file descriptor
entry: 99, 99
return: 99, -9

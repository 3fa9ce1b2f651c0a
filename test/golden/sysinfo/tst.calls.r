xcalls 73

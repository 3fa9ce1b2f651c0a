xcalls 73


twice returns 0, from inside: 1
twice returns 2, from inside: 1
twice returns 4, from inside: 1


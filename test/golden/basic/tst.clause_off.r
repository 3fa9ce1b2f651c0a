on: 1
off: 0
off behind a constant: 0
1 0



401 1 1
dtrace: programs do not know the name of pidN:program:...:entry: only the first 511 characters of a part
511 0 0
401 1 1

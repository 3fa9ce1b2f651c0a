401 1 1
dtrace: cannot pass the name of probe pidN:program:...:entry to running programs: only the first 511 characters of a part
511 0 0
401 1 1

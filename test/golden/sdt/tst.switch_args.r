bad 0


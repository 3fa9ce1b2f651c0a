mostly late 0


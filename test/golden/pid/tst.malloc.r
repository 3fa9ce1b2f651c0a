the same sizes
the same by stack
thousands of calls
many stacks
with names

the same

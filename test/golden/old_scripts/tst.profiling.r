sampled
mostly in user mode
spin 0


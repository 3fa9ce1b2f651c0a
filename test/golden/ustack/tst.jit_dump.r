jit-PID.dump`JIT$innermost

leaf: seen; most whole
made: seen; most whole

mostly right, 0 not left, wrong ticks 0


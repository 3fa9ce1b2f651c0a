of a hundred right 60.., 0 not left, wrong ticks 0


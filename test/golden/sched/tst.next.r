wrong 0, wrong ticks 0


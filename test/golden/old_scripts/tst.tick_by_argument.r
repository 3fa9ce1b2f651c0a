ticks in 5ms


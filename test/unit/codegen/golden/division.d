/* What may be zero is a fault. */
int z; BEGIN { x = 7; y = x / z; }

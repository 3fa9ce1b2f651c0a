BEGIN {
	x = 1;

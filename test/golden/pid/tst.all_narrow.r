dtnarrow = 42 3
dtnarrow(6, 7) 3
dtwide = 42 3
dtwide(6, 7) 3
strlen, each call

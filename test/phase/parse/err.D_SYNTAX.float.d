BEGIN { x = 2.5; }

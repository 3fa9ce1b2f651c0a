int x = 3;

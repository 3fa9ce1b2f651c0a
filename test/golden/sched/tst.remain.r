50 yields, 50 decided, 0 not, some stayed


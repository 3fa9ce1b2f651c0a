60 yields, 60 decided, 0 not, stayed 5..


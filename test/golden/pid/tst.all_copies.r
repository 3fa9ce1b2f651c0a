apple of 7, 3 times, in c1
apple of 7, 3 times, in c2
apple of 7, 3 times, in c3
dtrace: error: illegal operation

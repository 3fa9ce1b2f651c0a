3 calls, 3 with time


64 calls, 64 with times


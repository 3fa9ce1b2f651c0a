first offset 0, last "", seen 0
5 calls, 10 bytes, last lseek, seen 5, others 10


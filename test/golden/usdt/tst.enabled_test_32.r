gcc -m32 -O2
before: sold 0 refunded 0 damaged 0
enabled: sold 1 refunded 0 damaged 0
again: sold 1 refunded 0 damaged 0
all threads: threads 400 damaged 0
not described: child 0 damaged 0
after: sold 0 refunded 0 damaged 0
ready

fired 2, last 3


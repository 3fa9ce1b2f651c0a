enough wakeups, enough sleeps
0 dequeued from nowhere, 0 run while queued, 0 on another CPU
left for good, still queued or still running: 1, left for itself: 0
priorities changed 1 1, enough surrenders

status 0

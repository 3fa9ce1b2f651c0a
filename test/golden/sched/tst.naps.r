enough wakeups, enough sleeps
0 dequeued from nowhere, 0 run while queued, 0 on another CPU
queued 0, left without a reason 0, left for itself 0, running 1
priorities changed 1 1, enough surrenders

status 0

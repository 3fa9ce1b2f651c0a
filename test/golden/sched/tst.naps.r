wakeups 15.., sleeps 15..
dequeued from nowhere 0..3, run while queued 0..3, on another CPU 0
still queued -3..3, left without a reason 0, left for itself 0, running 1
priorities changed 1 1, surrenders 60..

status 0

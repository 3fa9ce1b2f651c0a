enough wakeups, enough sleeps
enqueued 0 more than dequeued, 0 from nowhere, 0 while queued, 0 of another CPU
left the CPU once without a reason: 1, for itself: 0
got it as often as it was left: 1
priorities changed 1 1, enough surrenders

status 0

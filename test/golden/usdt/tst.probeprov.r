0 dtgoldenPID
1 dtgoldenPID
2 dtgoldenPID
PID
dtgoldenPID 3


ready
of it 3

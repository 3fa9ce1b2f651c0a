x
   ID   PROVIDER            MODULE                          FUNCTION NAME
y
dtrace: failed to write to <stdout>: Broken pipe
status 1
dtrace: failed to write to <stdout>: No space left on device
status 1
dtrace: failed to write to /dev/full: No space left on device
status 1
status 0

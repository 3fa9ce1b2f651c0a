ONE
LEADER
MEMBER
status 0
pid LEADER has exited
pid MEMBER has exited
pid ONE has exited
dtrace: invalid pid: 12,
dtrace: failed to grab process group 99999999: No such process

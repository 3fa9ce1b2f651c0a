state-syn-sent sent, again: 0
state-syn-sent sent, again: 1

status 0

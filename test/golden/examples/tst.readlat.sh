#!/bin/bash
# ASSERTION: readlat.d measures every read: 1000 of them, and the few that loading the program takes.
. ./common.sh
dd=$(program dd)
example readlat.d -c "$dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none"
claim "every read is in the distribution" between 1000 1010 "$(total "$name")"

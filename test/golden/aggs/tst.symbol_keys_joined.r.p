#!/bin/sh
# BEGIN runs on any CPU: the shares of all CPUs are added up.
exec awk '/^    \[CPU /{ n += $3; next } { print } END { print "on all CPUs: " n }'

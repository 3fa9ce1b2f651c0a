#!/bin/sh
# The CPU is wherever BEGIN ran.
sed 's/^ *[0-9]* \( *1  *:BEGIN\)/  0 \1/'

#!/bin/sh
sed -E 's/^ *[0-9]+( +1 +:BEGIN)/  0\1/'

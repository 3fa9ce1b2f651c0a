#!/bin/sh
# The programs depend on the kernel.
grep "^aggregation"

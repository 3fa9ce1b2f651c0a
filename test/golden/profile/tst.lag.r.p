#!/bin/bash
. ../../runner/ranges.sh
ranges 'late 75..' 'by a period 0..10'

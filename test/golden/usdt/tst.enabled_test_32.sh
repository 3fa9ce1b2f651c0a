#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: is-enabled tests of 32-bit programs built with Oracle's <sys/usdt.h> are true while the probe is enabled: the
# address of their variable has 32 bits.
# @@timeout: 120
. ./common.sh
. ./asks.sh
answers_of 'gcc -m32 -O2' 'gcc -m32 -O0 -no-pie -DIN_MEMORY'

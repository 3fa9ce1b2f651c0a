#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: 32-bit programs that ask as those built with Oracle's <sys/usdt.h> do are answered like others: the address of their
# variable has 32 bits.
# @@timeout: 120
. ./common.sh
. ./asks.sh
answers_of 'gcc -m32 -O2' 'gcc -m32 -O0 -no-pie -DIN_MEMORY'

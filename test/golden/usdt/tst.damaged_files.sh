#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a process that executes damaged files keeps nobody from tracing: each such file is reported with its damage and left
# out, when probes are matched and while tracing runs. A description of that file alone is an error that says what is damaged.
# @@timeout: 200  @@lock: damaged  @@tags: userland  @@shared
case $(uname -m) in
aarch64) export elf_machine=183 ;;
*) export elf_machine=62 ;;
esac
exec python3 damaged_files.py "$1"

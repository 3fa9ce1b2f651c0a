#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the stacks of programs as Debian ships them are those that gdb sees, frame by frame: each is stopped where it was
# sampled, and both walk the same stack.
# @@tags: userland
cat >"$tmpdir/tree.py" <<'END'
import re
class Tree:
    def __init__(self, depth): self.kids = [Tree(depth - 1) for _ in range(3)] if depth else []
    def sum(self): return 1 + sum(kid.sum() for kid in self.kids)
while True:
    Tree(6).sum(); sorted([str(n) for n in range(2000)], key=lambda s: re.sub('1', '2', s))
END
cat >"$tmpdir/fib.pl" <<'END'
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
while (1) { fib(12); my @w = sort { $a cmp $b } map { join ',', split //, $_ * 7919 } 1..2000; s/1+/x/g for @w; }
END
for command in "/usr/bin/python3 $tmpdir/tree.py" "/usr/bin/perl $tmpdir/fib.pl"; do
  echo "$(basename "${command%% *}"): $(python3 -B gdb_stops.py "$dtrace" 40 $command)"
done

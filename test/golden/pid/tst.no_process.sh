# ASSERTION: a process that does not exist is said not to exist, whatever names it: a probe, -p, or $target; and what -l
#            lists of it is nothing.
# SECTION: pid Provider; Process Control      @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
# Pids are less than pid_max, which is 2^22 at most.
run -n 'pid5000000:::entry'
run -n 'pid5000000:libc:malloc:entry,BEGIN { exit(0); }'
run -l -n 'pid5000000:::'
run -p 5000000 -n 'pid$target:::entry'
run -xerrtags -n 'pid5000000:a.out::entry'
run -n 'watchpoint5000000:a.out:counter:write'
run -xerrtags -n 'plockstat5000000:::mutex-block'

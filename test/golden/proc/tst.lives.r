create 5 start 5 exit 6
lwp-create 7 lwp-start 7 lwp-exit 8
parents 5 5, raw arguments 5, threads 2, last threads 6
exited 3 killed 3 dumped 0
/nonexistent/one / /bin/true
errors 2 13, then lives became true of true

status 0

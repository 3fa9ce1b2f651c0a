clause,time_ns,cpu,provider,module,function,name,curpsinfo->pr_fname,whose,which[3]
aggregation,curpsinfo->pr_psargs,fds[0].fi_pathname,whose,which[2],count
aggregation,curlwpsinfo->pr_lwpid,least,greatest,count

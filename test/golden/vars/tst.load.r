one minute as /proc says
five minutes as /proc says
fifteen minutes as /proc says
total as /proc says
free as /proc says

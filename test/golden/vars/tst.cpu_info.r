1 [] uname -m
as the kernel says

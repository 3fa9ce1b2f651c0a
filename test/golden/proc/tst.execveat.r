exec /nonexistent/by-execveat
failed 2
exec /nonexistent/by-execve
failed 2
exec /bin/true
success true


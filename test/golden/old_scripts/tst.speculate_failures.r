open of /nonexistent/file
  failed: errno 2


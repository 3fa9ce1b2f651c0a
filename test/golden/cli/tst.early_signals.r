at a random moment: ended
a background job at a random moment: ended
a background job while the preprocessor waits: SIGINT ended, SIGQUIT ended
a background job of a shell: status 0 or 130
nohup: SIGHUP ignored
-h: SIGINT ignored, SIGQUIT ignored

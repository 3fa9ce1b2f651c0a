web /index 304
24
no such member
/index 1



 aaaa aaa/ 1 100000
 bbbb bbb/ 2 100000

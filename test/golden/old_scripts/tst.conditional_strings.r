SET  first bad
SET  odd bad
SET  even bad
SET/even 1
SET/first 1
SET/odd 1


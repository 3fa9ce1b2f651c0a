BEGIN 1
BEGIN 2
BEGIN 3
dtrace BEGIN
dtrace END
profile tick-10ms
3 1


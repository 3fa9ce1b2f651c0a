BEGIN dtrace:::BEGIN 1
BEGIN x is one
END x is one
END 2


one row: fired = got + lost
rows of other sizes between: fired = got + lost
two rows, one speculation: fired = got + lost
commit in a branch: fired = got + lost

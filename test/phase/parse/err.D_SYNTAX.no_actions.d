BEGIN

int x;

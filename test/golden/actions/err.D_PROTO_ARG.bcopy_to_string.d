/* ASSERTION: bcopy() to what is plainly not alloca()ed is refused when the program is compiled: a string. */
BEGIN { bcopy("abc", "defg", 3); }

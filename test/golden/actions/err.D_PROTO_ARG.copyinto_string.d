/* ASSERTION: copyinto() to what is plainly not alloca()ed is refused when the program is compiled: a string variable. */
BEGIN { this->s = "abc"; copyinto(arg1, 3, (char *)this->s + 1); }

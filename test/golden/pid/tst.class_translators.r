12 lunch 4 1250 1250
7 tea 8 0
string "lunch"
string "tea"
9
== errors
[D_TYPE_MEMBER] line 2: euros is not a member of struct Money<int>
[D_TYPE_MEMBER] line 2: euro is not a member of struct Money<int>
[D_TYPE_MEMBER] line 1: sum is not a member of struct Old
[D_XLATE_INCOMPAT] line 2: translator member text of struct Old is "short", not a string
[D_XLATE_REDECL] line 1: translator member a is defined twice
[D_UNKNOWN] line 1: expansion of value is too deep or too large
[D_SYNTAX] line 1: syntax error near "shop::Old"

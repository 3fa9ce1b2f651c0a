tea 100 #100000000 of A65000, tries -2
bread 200 #100000001 of B65001, tries -1
salt 300 #100000002 of A65002, tries 0
tea 400 #100000003 of B65003, tries 1
bread 500 #100000004 of A65004, tries 2
salt -7 #100000005 of B65005, tries 3
refund: salt -7

-- other ways to name the library, and stripped
1
-- without a library
D_ARGS_TYPE
-- fewer members than asked for
D_TYPE_MEMBER
D_ARGS_IDX
-- arg0.. are the native arguments of args[0]..
refund

                3
        0        1                6

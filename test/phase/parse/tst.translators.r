pragma 5:1 depends_on library types.d
declaration 6:1
  specs 6:1 struct out { ... }
    member 6:14
      specs 6:14 int
      declarator 6:18 o_id
    member 6:24
      specs 6:24 string
      declarator 6:31 o_name
pragma 7:1 binding 1.0 translator
translator 8:1 I
  type 8:12
    specs 8:12 struct out
  type 8:25
    specs 8:25 struct in
    declarator 8:35
      pointer 8:35
  member 9:2 o_id
    member 9:9 ->id
      ident 9:9 I
  member 10:2 o_name
    stringof 10:11
      member 10:20 ->name
        ident 10:20 I
pragma 12:1 attributes Stable/Stable/Common out

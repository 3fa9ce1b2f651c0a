clause 8:1
  probe 8:1 syscall::read:entry
  probe 9:1 syscall::*write*:entry
  probe 9:25 id 12
  predicate
    binary 10:2 &&
      binary 10:2 ==
        ident 10:2 execname
        string 10:14 "dd"
      binary 10:22 !=
        ident 10:22 pid
        binary 10:29 /
          int 10:29 77
          int 10:36 1
  body
    statement 12:2
      assign 12:2 =
        scoped 12:2 self->start
        ident 12:16 timestamp
    statement 13:2
      assign 13:2 =
        index 13:2
          aggregation 13:2 @bytes
          ident 13:9 execname
          ident 13:19 probefunc
        call 13:32
          ident 13:32 sum
          ident 13:36 arg2
clause 16:1
  probe 16:1 :::tick-1s
  body
clause 18:1
  probe 18:1 dtrace:::END
  body
    if 20:2
      ident 20:6 x
      then
        statement 21:3
          assign 21:3 =
            ident 21:3 y
            int 21:7 1
      else
        if 22:9
          ident 22:13 z
          then
            statement 23:3
              call 23:3
                ident 23:3 printf
                string 23:10 "%d\n"
                ident 23:18 z
    statement 26:2
      call 26:2
        ident 26:2 exit
        int 26:7 0

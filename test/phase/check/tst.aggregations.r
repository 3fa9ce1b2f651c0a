aggregation @_[string(13), id_t] = lquantize(0, 10, 2)
aggregation @calls[string] = count
aggregation @spread[dt_stack_t] = llquantize(10, 0, 6, 20)
aggregation @deviation = stddev
program "tst.aggregations.d" matched 2
  clause syscall::read:entry probes 1
    attributes Private/Private/ISA of description Private/Private/ISA
    aggregate @_ = lquantize
      keys
        string "short" : string(6)
        builtin tid : id_t
      value
        builtin arg2 : int64_t
    aggregate @_ = lquantize
      keys
        string "a longer one" : string(13)
        builtin tid : id_t
      value
        builtin arg2 : int64_t
    aggregate @calls = count
      keys
        builtin probefunc : string
    aggregate @spread = llquantize
      keys
        stack frames 3 : dt_stack_t
      value
        convert integer : long
          builtin timestamp : uint64_t
    aggregate @deviation = stddev
      value
        binary - : int64_t
          builtin arg2 : int64_t
          int 1 : int64_t
  clause :::END probes 1
    attributes Stable/Stable/Common of description Stable/Stable/Common
    action trunc @calls
      int 5 : long
    action normalize @spread
      int 1000 : long
    action printa @calls format 2
    action printa @deviation
    action clear @_

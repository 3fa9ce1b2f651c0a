program clock_0 on 10309278, 1 probes, slot 1
program clock_1 on 10101010, 1 probes, slot 2
program BEGIN_2 on BEGIN, 1 probes, slot 0
program clock_3 on 1000000000, 1 probes, slot 3
clause 0 0 bytes
clause 1 0 bytes
clause 2 24 bytes, row
  trace
         16     4  integer int
clause 3 0 bytes
clause 4 0 bytes
clause 5 16 bytes, row
  printa @5
aggregation 0 @one count key 0 bytes, value 1 words, one writer, of samples
aggregation 1 @both count key 0 bytes, value 1 words, of samples
aggregation 2 @twice sum key 4 bytes, value 1 words, one writer
          0     4  integer pid_t
aggregation 3 @fault count key 0 bytes, value 1 words
aggregation 4 @begin count key 0 bytes, value 1 words, one writer
aggregation 5 @used count key 0 bytes, value 1 words, one writer

aggregation 0 @want sum key 0 bytes, value 1 words, one writer, in units of 1 bytes
aggregation 1 @args sum key 0 bytes, value 1 words, one writer, in units of 1 bytes
aggregation 2 @ns quantize key 0 bytes, value 127 words, one writer, in units of 1 ns
aggregation 3 @us avg key 0 bytes, value 2 words, one writer, in units of 1000 ns
aggregation 4 @ms lquantize key 0 bytes, value 102 words, one writer, in units of 1000000 ns
aggregation 5 @shifted sum key 0 bytes, value 1 words, one writer, in units of 1024 ns
aggregation 6 @chosen max key 0 bytes, value 2 words, one writer, in units of 1 ns
aggregation 7 @array min key 0 bytes, value 2 words, one writer, in units of 1 ns
aggregation 8 @copied sum key 0 bytes, value 1 words, one writer, in units of 1 ns
aggregation 9 @mixed sum key 0 bytes, value 1 words, one writer
aggregation 10 @product sum key 0 bytes, value 1 words, one writer
aggregation 11 @rate sum key 0 bytes, value 1 words, one writer
aggregation 12 @spent sum key 0 bytes, value 1 words, one writer, in units of 1 ns
aggregation 13 @instant max key 0 bytes, value 2 words, one writer
aggregation 14 @read sum key 0 bytes, value 1 words, one writer, in units of 1 bytes
aggregation 15 @kib llquantize key 0 bytes, value 129 words, one writer, in units of 1024 bytes
aggregation 16 @either sum key 0 bytes, value 1 words, one writer
aggregation 17 @calls count key 0 bytes, value 1 words, one writer
aggregation 18 @steps sum key 0 bytes, value 1 words, one writer
aggregation 19 @_ count key 0 bytes, value 1 words, one writer, of samples
aggregation 20 @profiled sum key 0 bytes, value 1 words, one writer
aggregation 21 @both count key 0 bytes, value 1 words
aggregation 22 @bytes sum key 0 bytes, value 1 words, in units of 1 bytes
aggregation 23 @number sum key 0 bytes, value 1 words
aggregation 24 @block sum key 0 bytes, value 1 words, in units of 1 ns

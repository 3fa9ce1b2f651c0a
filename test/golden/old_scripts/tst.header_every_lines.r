Tracing... Hit Ctrl-C to end
   ROW SQUARE
     1      1
     2      4
   ROW SQUARE
     3      9
     4     16
   ROW SQUARE
     5     25


program`int ns::innermost<int>(int) [inlined] (inlined.cc:6)
program`ns::middle(int) [inlined] (inlined.cc:11)
program`outer(int) (inlined.cc:18)
program`main (inlined.cc:20)
== other forms of debug information that differ
== without inlined functions
program`outer(int)
program`main
== without debug information
program`outer(int)
program`main
== as JSON
"symbol":"program`int ns::innermost<int>(int)","inlined":true,"source":"inlined.cc:6"
"symbol":"program`ns::middle(int)","inlined":true,"source":"inlined.cc:11"

== shown twice
== shown twice clear(@);
== shown twice trunc(@);
== lquantize and llquantize, by keys, never printed
== as the text of ticks shows it

/* SPDX-License-Identifier: Apache-2.0 */
/* ASSERTION: what an aggregation measures follows from what is aggregated: times, bytes, samples, or nothing that is plain. */
int64_t started[int];
syscall::read:entry { self->from = timestamp; self->v = vtimestamp; started[tid] = walltimestamp; self->other = timestamp; }
syscall::write:entry { self->other = pid; self->copy = self->from; @want = sum(arg2); @args = sum(args[2]); }
syscall::read:return /self->from/ {
  @ns = quantize(timestamp - self->from);
  @us = avg((timestamp - self->from) / 1000);
  @ms = lquantize((vtimestamp - self->v) / 1000 / 1000, 0, 100, 1);
  @shifted = sum((timestamp - self->from) >> 10);
  @chosen = max(self->from ? timestamp - self->from : 0);
  @array = min(walltimestamp - started[tid]);
  @copied = sum(timestamp - self->copy);
  @mixed = sum(timestamp - self->other);
  @product = sum((timestamp - self->from) * 3);
  @rate = sum(arg0 / (timestamp - self->from + 1));
  self->spent += timestamp - self->from;
  @spent = sum(self->spent);
  @instant = max(timestamp);
  @read = sum(arg0);
  @kib = llquantize(arg1 / 1024, 10, 0, 6, 10);
  @either = sum(arg0);
  @calls = count();
  @steps = sum(self->steps++);
  self->from = 0;
}
syscall::getpid:return { @either = sum(arg0); }
profile-97 { @ = count(); @profiled = sum(1); @both = count(); }
tick-1s { @both = count(); }
io:::start { @bytes = sum(args[0]->b_bcount); @number = sum(args[0]->b_lblkno); }
lockstat:::adaptive-block { @block = sum(arg1); }

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the probes of the distribution's Ruby, which lie in its shared library, are listed as its notes say, and their
# arguments read: classes, methods, files and lines of calls, what is raised, the sizes of arrays (at one site a constant, at
# another a register). (Ruby 3.1 fires for methods written in Ruby only while one of its own tracers is on.)
# @@timeout: 90
# @@shared
. ./common.sh
cat >"$tmpdir/prog.rb" <<'P'
class Calc
  def add(a, b)
    a + b
  end
  def fail_on(what)
    raise what, "no"
  end
end
calc = Calc.new
puts "up"
STDOUT.flush
STDIN.read
TracePoint.new(:call, :return) { }.enable
7.times { |i| calc.add(i, 1) }
begin
  calc.fail_on(ArgumentError)
rescue ArgumentError
end
3.times { [0] * 41 }
"text".upcase
P
mkfifo "$tmpdir/in"
$system_ruby "$tmpdir/prog.rb" <"$tmpdir/in" >"$tmpdir/answers" &
ruby=$!
exec 5>"$tmpdir/in"
until grep -qs up "$tmpdir/answers"; do sleep 0.05; done
library=$(awk '/libruby/ { print $NF; exit }' /proc/$ruby/maps)
noted_and_listed "ruby$ruby" "$library"
trace -q -p $ruby -n 'BEGIN { printf("ready\n"); }
  ruby$target:::method-entry /copyinstr(arg0) == "Calc"/ {
    @calls[copyinstr(arg0), copyinstr(arg1), basename(copyinstr(arg2)), (int)arg3] = count(); }
  ruby$target:::method-return /copyinstr(arg0) == "Calc"/ { @returns[copyinstr(arg1)] = count(); }
  ruby$target:::raise { printf("raised %s at %s:%d\n", copyinstr(arg0), basename(copyinstr(arg1)), (int)arg2); }
  ruby$target:::array-create /arg0 == 41/ { @arrays[basename(copyinstr(arg1)), (int)arg2] = count(); }
  ruby$target:::cmethod-entry /copyinstr(arg1) == "upcase"/ {
    printf("%s#%s called at line %d\n", copyinstr(arg0), copyinstr(arg1), (int)arg3); }
  END { printa("%s#%s %s:%d %@d\n", @calls); printa("%s returned %@d times\n", @returns); printa("arrays at %s:%d %@d\n", @arrays); }' 5>&-
exec 5>&-
trace_ended
grep -v -e ready -e '^$' "$out"
wait $ruby

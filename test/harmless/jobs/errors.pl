use strict; use warnings;
# Errors, signals, children, sorting by a function and patterns with code, which perl does by longjmp() and callbacks.
my $caught = 0;
for my $n (1 .. 20) { eval { die { n => $n } if $n % 2; 1 } or $caught += $@->{n}; }
print "$caught\n";
local $SIG{USR1} = sub { die "signal\n" };
eval { kill USR1 => $$; select undef, undef, undef, 0.01 for 1 .. 100; }; print "caught $@";
local $SIG{__WARN__} = sub { print "warned: ", $_[0] =~ s/ at .*//sr, "\n" }; warn 'text';
print join(' ', sort { $b <=> $a } map { $_ * 7 % 10 } 1 .. 9), "\n";
my $text = 'a1b22c333'; my @n = $text =~ /(\d+)/g; print "@n\n"; $text =~ s/(\d+)/$1 * 2/ge; print "$text\n";
my $pid = fork // die; if (!$pid) { exit 3 } waitpid $pid, 0; print $? >> 8, "\n";
open my $pipe, '-|', 'echo from a child' or die; print <$pipe>; close $pipe;
my $eval = eval '1 +'; print defined $eval ? 'ok' : 'syntax', "\n";
sub outer { OUT: for my $i (1 .. 3) { inner($i); last OUT if $i == 2 } return wantarray ? 'list' : 'scalar' } sub inner { return $_[0] ** 2 }
print scalar(outer()), "\n"; tie my $tied, 'Tied'; print "$tied\n"; sub jump { goto &Tied::leave } jump();
package Tied; sub TIESCALAR { bless [] } sub FETCH { eval { die 'in' }; 'tied' } sub leave { print "left\n"; exit 7 }

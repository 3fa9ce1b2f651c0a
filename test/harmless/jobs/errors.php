<?php
// Exceptions, generators, callbacks, and an error that ends the script by longjmp().
function numbers($n) { for ($i = 0; $i < $n; $i++) { try { yield $i; } finally { echo '.'; } } }
$sum = 0;
foreach (numbers(9) as $n) { try { if ($n % 2) throw new RuntimeException("$n"); } catch (RuntimeException $e) { $sum += (int)$e->getMessage(); } }
echo "\n$sum\n";
$list = [3, 1, 2]; usort($list, fn($a, $b) => $b <=> $a); echo json_encode($list), "\n";
echo preg_replace_callback('/\d+/', fn($m) => $m[0] * 2, 'a1b22'), "\n";
try { intdiv(1, 0); } catch (DivisionByZeroError $e) { echo get_class($e), "\n"; }
$fiber = new Fiber(function ($x) { $y = Fiber::suspend($x * 2); echo "got $y\n"; throw new LogicException('out'); });
echo $fiber->start(21), "\n"; try { $fiber->resume('text'); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
echo strlen(serialize(array_map(null, range(1, 50)))), ' ', md5('text'), "\n";
register_shutdown_function(function () { echo "the end\n"; });
ini_set('memory_limit', '4M');
str_repeat('x', 100000000);

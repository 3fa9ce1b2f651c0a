#!/bin/bash
# ASSERTION: printf() computes with floating-point constants and (double) when it prints; integers under %f are converted;
#   averages, deviations and normalised values have fractions under %@f; nothing else takes floating-point numbers.
# SECTION: Printing/Formats
exec 2>&1
"$dtrace" -qn 'BEGIN { x = 7; y = 2; big = 123456789012;
	printf("%.2f %.2f %.3f %f\n", 1.5, x / 2.0, (double)x / y, x / y);
	printf("%.3f %.1f %e %g\n", big / 1e9, -(x + 0.5) * y, 1e3, 2 + .25);
	printf("%.2f %.2f %d %.1f\n", (x - 1.5) / (y - 1.0), x * (1 / 4.0) - y, x, (float)y);
	printf("%8.2f|%-8.1f|%+.0f\n", x / 3.0, x / 3.0, x / 3.0);
	printf("%f %f\n", x / 0.0, (double)-1);
	@a = avg(1); @a = avg(2); @s = stddev(1); @s = stddev(2); @c = count(); @c = count(); @m = min(-5);
	printa("%@.2f %@d\n", @a, @a); printa("%@.3f %@d\n", @s, @s); printa("%@.1f\n", @c); printa("%@.1f\n", @m);
	normalize(@m, 2); normalize(@c, 4); printa("%@.2f %@d\n", @m, @m); printa("%@.2f\n", @c);
	exit(0); }'
for call in 'x = 2.5' 'trace(1.5)' 'printf("%d", 1.5)' 'printf("%f", "a" + 1.5)' 'printf("%f", execname)' \
	'printf("%f", 1.5 % 2)' 'printf("%f", x > 1.5)' '@ = sum(1.5)' 'printf("%s", 1.5)'; do
	"$dtrace" -xerrtags -qn "BEGIN { x = 1; $call; exit(0); }"
done
"$dtrace" -xerrtags -xstrict -qn 'BEGIN { printf("%f", 1.5); }'
"$dtrace" -xerrtags -xstrict -qn 'BEGIN { printf("%f", 1); }'
# Other formats have what is computed, under its own text.
program='BEGIN { x = 7; y = 12345; printf("%d %.2f ms %*d %g\n", x, y / 1e3, 3, x, (double)x / 2); exit(0); }'
"$dtrace" -qx format=json -n "$program" | grep -o '"values":[^]]*]'
"$dtrace" -qx format=csv -n "$program" | tr -d '\r' | cut -d, -f8-
exit 0

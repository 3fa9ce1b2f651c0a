#!/bin/bash
# ASSERTION: values of an enum have names under %s and as keys of aggregations; a value without a name is a number; %d and
#   trace() show numbers, and so does everything under option strict.
# SECTION: Types and expressions/Structs, unions, bit-fields, enums, arrays
exec 2>&1
program='enum state { IDLE, BUSY = 4, GONE = -1 };
BEGIN { this->s = (enum state)4; printf("%s %5s|%-5s|%d\n", this->s, (enum state)0, (enum state)-1, this->s);
	printf("%s\n", (enum state)7); trace(this->s);
	@[this->s, 1] = count(); @[(enum state)7, 2] = count(); @f[(enum state)-1] = count();
	printa("%s %@d\n", @f); printa("%d %@d\n", @f); exit(0); }'
"$dtrace" -qn "$program"
"$dtrace" -xstrict -qn "$program"
"$dtrace" -xstrict -qn 'enum state { IDLE, BUSY = 4 }; BEGIN { @[(enum state)4] = count(); exit(0); }'
"$dtrace" -qn 'BEGIN { @ = count(); printa("%@.5q\n", @); }'
"$dtrace" -qn 'BEGIN { @ = quantize(1); printa("%@q\n", @); }'
"$dtrace" -qn 'BEGIN { @ = quantize(1); printa("%@.0q\n", @); }'
"$dtrace" -qn 'BEGIN { printf("%.5q\n", 1); }'
"$dtrace" -xstrict -qn 'BEGIN { @ = quantize(1); printa("%@.5q\n", @); }'
exit 0

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ASSERTION: keys that are long strings differ by their bytes up to their end, beside other fields and whatever
 * the slot had before; the values of each begin at nothing.
 */
#pragma D option quiet
#pragma D option aggsortkey

BEGIN
{
	this->s = "abcdefghijklmnopqrstuvwxyz0123456789";
	@[substr(this->s, 0, 36)] = count();
	@[substr(this->s, 0, 17)] = count();
	@[substr(this->s, 0, 16)] = count();
	@[substr(this->s, 0, 15)] = count();
	@[substr(this->s, 0, 8)] = count();
	@[substr(this->s, 0, 7)] = count();
	@[substr(this->s, 0, 1)] = count();
	@[substr(this->s, 0, 0)] = count();
	@[substr(this->s, 0, 0)] = count();
	@[substr(this->s, 0, 1)] = count();
	@[substr(this->s, 0, 7)] = count();
	@[substr(this->s, 0, 8)] = count();
	@[substr(this->s, 0, 15)] = count();
	@[substr(this->s, 0, 16)] = count();
	@[substr(this->s, 0, 17)] = count();
	@[substr(this->s, 0, 36)] = count();
	@["literal"] = count();
	@[probename] = count();
	@[execname] = count();
	printa("[%s] %@d\n", @);

	@two[substr(this->s, 3, 9), 5, substr(this->s, 1, 2), (char)6] = sum(10);
	@two[substr(this->s, 3, 9), 5, substr(this->s, 1, 3), (char)6] = sum(20);
	@two[substr(this->s, 3, 9), 4, substr(this->s, 1, 2), (char)6] = sum(30);
	@two[substr(this->s, 3, 8), 5, substr(this->s, 1, 2), (char)6] = sum(40);
	@two[substr(this->s, 3, 9), 5, substr(this->s, 1, 2), (char)7] = sum(50);
	@two[substr(this->s, 3, 9), 5, substr(this->s, 1, 2), (char)6] = sum(1);
	printa("%s %d %s %d: %@d\n", @two);

	@three[substr(this->s, 0, 12)] = min(100);
	@three[substr(this->s, 0, 13)] = min(200);
	@three[substr(this->s, 0, 12)] = min(50);
	printa("%s %@d\n", @three);

	@four[substr(this->s, 0, 12)] = lquantize(3, 0, 4);
	@four[substr(this->s, 0, 13)] = lquantize(1, 0, 4);
	printa("%s%@d", @four);
	exit(0);
}

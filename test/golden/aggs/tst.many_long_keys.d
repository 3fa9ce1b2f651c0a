/* SPDX-License-Identifier: Apache-2.0 */
/* ASSERTION: ten aggregations with long keys in one program count as each does alone. */
#pragma D option quiet
#pragma D option strsize=512

BEGIN
{
	@a["first", "x"] = count();
	@b["second", "x", 1] = sum(2);
	@c["third", "x", 2, 3] = max(5);
	@d["fourth", "x"] = min(7);
	@e["fifth", "y", 9] = avg(4);
	@f["sixth", "x"] = count();
	@g["seventh", "x", 1] = sum(20);
	@h["eighth", "x"] = max(50);
	@i["ninth", "x"] = min(70);
	@j["tenth", "x"] = quantize(8);
	@a["first", "x"] = count();
	@a["first", "y"] = count();
	@b["second", "x", 1] = sum(3);
	@b["second", "x", 2] = sum(100);
	@c["third", "x", 2, 3] = max(4);
	@d["fourth", "x"] = min(6);
	@e["fifth", "y", 9] = avg(8);
	@f["sixth", ""] = count();
	@g["seventh", "x", 1] = sum(-1);
	@h["eighth", "x"] = max(51);
	@i["ninth", "x"] = min(71);
	@j["tenth", "x"] = quantize(9);
	exit(0);
}

END
{
	printa("%s %s %@d\n", @a);
	printa("%s %s %d %@d\n", @b);
	printa("%s %s %d %d %@d\n", @c);
	printa("%s %s %@d\n", @d);
	printa("%s %s %d %@d\n", @e);
	printa("%s %s %@d\n", @f);
	printa("%s %s %d %@d\n", @g);
	printa("%s %s %@d\n", @h);
	printa("%s %s %@d\n", @i);
	printa("%s %s %@d", @j);
}

#!/usr/sbin/dtrace -s
/*
 * ASSERTION: Members of a translated value are the translator's expressions; an offset into a structure is an lvalue.
 * SECTION: Translators
 */
#pragma D option quiet

struct inner {
	int low : 3;
	int high : 29;
	char text[8];
};
struct raw {
	struct inner in;
	struct raw *next;
};
typedef struct {
	int shown;
	string name;
} shown_t;

translator shown_t <struct raw *R> {
	shown = R->in.high + 1;
	name = R->in.text;
};

BEGIN
{
	this->raw = (struct raw *)alloca(sizeof(struct raw));
	this->raw->in.low = -1;
	trace(xlate<shown_t>(this->raw).shown);
	trace(xlate<shown_t *>(this->raw->next)->name);
	trace(&this->raw->next->in.text[2]);
	trace(offsetof(struct raw, next));
}

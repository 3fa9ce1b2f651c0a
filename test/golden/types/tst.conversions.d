/*
 * ASSERTION: a value is cut and extended where it is stored, cast, passed as a key or compared; loads extend by the sign
 * of their type.
 * SECTION: Types and expressions/Conversions
 */
#pragma D option quiet
char c; short s; uint8_t uc; int i; unsigned u; _Bool b; long l; int keyed[char];
BEGIN
{
	c = 300; s = 70000; uc = -1; i = 0x1ffffffff; u = -1; l = (char)200;
	printf("%d %d %d %d %d %d\n", c, s, uc, i, u, l);
	c = 127; c++; uc = 255; uc++; s = -32768; s--;
	printf("%d %d %d\n", c, uc, s);
	c = 100; c += 100; uc = 200; uc *= 2;
	printf("%d %d %d\n", c, uc, (char)100 + (char)100);
	b = 256; printf("%d", b); b = 0; printf(" %d %d\n", b, (_Bool)4);
	printf("%d %d %x %d\n", (int8_t)0x1ff, (uint8_t)-1, (uint16_t)0x12345, (int)(char)0x80);
	x = 0x123456789abcdef0;
	printf("%x %x %x %x\n", (int)x, (short)x, (unsigned char)x, (uint64_t)(int)x);
	p = (int *)x; printf("%x %p %d\n", (uint64_t)p, p, (int *)0 == NULL);
	keyed[257] = 9; printf("%d %d\n", keyed[1], keyed[513]);
	this->m = (char *)alloca(8); this->m[0] = 0xff; this->m[1] = 0xfe;
	printf("%d %d %d %d\n", this->m[0], *(unsigned char *)this->m, *(short *)this->m, *(uint16_t *)this->m);
	printf("%d %d\n", NULL, sizeof (NULL));
	exit(0);
}

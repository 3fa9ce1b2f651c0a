/*
 * ASSERTION: byte order, addresses as text, device numbers.
 * SECTION: Actions and subroutines/Subroutines
 */
#pragma D option quiet
BEGIN
{
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
	printf("%x %x %x\n", ntohs(0x3412), ntohl(0x78563412), ntohll(0xf0debc9a78563412));
	printf("%d %d\n", getmajor(0x800001), getminor(0x800001));

	this->quad = (ipaddr_t *)alloca(sizeof (ipaddr_t));
	*this->quad = htonl(0xc0a80a01);
	printf("%s %s\n", inet_ntoa(this->quad), inet_ntop(AF_INET, this->quad));

	this->six = (uint64_t *)alloca(16);
	this->six[0] = htonll(0xfe80000000000000);
	this->six[1] = htonll(0x0000000000010000);
	printf("%s %s\n", inet_ntoa6((struct in6_addr *)this->six), inet_ntop(AF_INET6, this->six));
	this->six[0] = 0;
	this->six[1] = htonll(0x0000ffff7f000001);
	printf("%s %s\n", inet_ntoa6((struct in6_addr *)this->six), inet_ntop(AF_INET6, this->six));
	this->six[1] = htonll(0x000000007f000001);
	printf("%s %s %s\n", inet_ntoa6((struct in6_addr *)this->six), inet_ntoa6((struct in6_addr *)this->six, 1),
	    inet_ntop(AF_INET6, this->six));
	this->six[1] = htonll(1);
	printf("%s %s\n", inet_ntoa6((struct in6_addr *)this->six), inet_ntop(AF_INET6, this->six));
	this->six[1] = 0;
	printf("%s\n", inet_ntop(AF_INET6, this->six));

	this->mac = (uint64_t *)alloca(8);
	*this->mac = htonll(0x0a1b2c3d4e5f0000);
	printf("%s\n", link_ntop(1, this->mac));
}
BEGIN
{
	trace(inet_ntop(99, (void *)alloca(16)));
}
ERROR
{
	printf("fault %d\n", arg4);
	exit(0);
}

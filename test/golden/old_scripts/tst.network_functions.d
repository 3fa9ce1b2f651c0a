#!/usr/sbin/dtrace -qs
/* ASSERTION: inet_ntoa, inet_ntop, htons and their like, on memory of the script's own.	@@runtest-opts: -q */

dtrace:::BEGIN
{
	this->addr = (ipaddr_t *)alloca(4);
	*(this->addr) = htonl(0x7f000001);
	printf("%s\n", inet_ntoa(this->addr));
	printf("%s\n", inet_ntop(AF_INET, this->addr));
	printf("%x %x %d\n", htons(0x1234), ntohl(0x12345678), ntohs(htons(80)));
	exit(0);
}

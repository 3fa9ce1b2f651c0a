/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server in small, to show probes: it answers HTTP-like requests on a socket of 127.0.0.1 until it is asked to stop.
 * Usage: server PORT COUNT, or server 0 COUNT to serve COUNT made-up requests of its own, without a network.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server_probes.h"

typedef struct request {
	int fd;
	int port;
	char *method;
	char *uri;
	unsigned long bytes;
} request_t;

/* Stands for the work of a request: longer URIs take longer. */
static int handle(request_t *r)
{
	volatile unsigned long sum = 0;
	unsigned long i;

	for (i = 0; i < 1000 * strlen(r->uri); i++)
		sum += i;
	r->bytes = strlen(r->uri);
	return strcmp(r->uri, "/missing") == 0 ? 404 : 200;
}

static int serve(request_t *r)
{
	int status;

	HTTPSERVER_REQUEST_START(r);
	status = handle(r);
	/* The check is for arguments that are dear to compute; these are not, so it only shows how. */
	if (HTTPSERVER_REQUEST_DONE_ENABLED())
		HTTPSERVER_REQUEST_DONE(r, status);
	return status;
}

static void serve_connection(int fd, int port)
{
	char text[1024], method[16], uri[512], answer[64];
	ssize_t n = read(fd, text, sizeof(text) - 1);
	request_t r;

	HTTPSERVER_CONNECTION_OPEN(fd);
	if (n <= 0)
		return;
	text[n] = '\0';
	if (sscanf(text, "%15s %511s", method, uri) != 2)
		return;
	memset(&r, 0, sizeof(r));
	r.fd = fd;
	r.port = port;
	r.method = method;
	r.uri = uri;
	n = snprintf(answer, sizeof(answer), "HTTP/1.0 %d\r\n\r\n", serve(&r));
	if (write(fd, answer, (size_t)n) != n)
		perror("write");
}

static int listen_on(unsigned short port)
{
	struct sockaddr_in address;
	int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);

	memset(&address, 0, sizeof(address));
	address.sin_family = AF_INET;
	address.sin_port = htons(port);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(fd, 16) != 0) {
		perror("server");
		exit(1);
	}
	return fd;
}

static void serve_made_up(long count)
{
	static const char *const kUris[] = {"/", "/news", "/missing"};
	char method[] = "GET", uri[32];
	request_t r;
	long i;

	for (i = 0; i < count; i++) {
		memset(&r, 0, sizeof(r));
		r.fd = 3;
		r.port = 8000;
		r.method = method;
		strcpy(uri, kUris[i % 3]);
		r.uri = uri;
		HTTPSERVER_CONNECTION_OPEN(r.fd);
		serve(&r);
	}
}

int main(int argc, char **argv)
{
	int port = argc > 1 ? atoi(argv[1]) : 8000;
	long count = argc > 2 ? atol(argv[2]) : -1;
	int listener;

	if (port == 0) {
		serve_made_up(count);
		return 0;
	}
	listener = listen_on((unsigned short)port);
	for (; count != 0; count--) {
		int fd = accept(listener, NULL, NULL);

		serve_connection(fd, port);
		close(fd);
	}
	return 0;
}

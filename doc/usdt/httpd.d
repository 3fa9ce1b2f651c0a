/*
 * The D library of the example server: put its folder on the path with -L. `request_t` is the server's structure, as
 * server.c has it; `reqinfo_t` and `peerinfo_t` are what scripts use, and stay when the server changes.
 */
#pragma D depends_on library procfs.d

typedef struct request {
	int fd;
	int port;
	char *method;
	char *uri;
	unsigned long bytes;
} request_t;

typedef struct reqinfo {
	string r_method;
	string r_uri;
	uint64_t r_bytes;
} reqinfo_t;

typedef struct peerinfo {
	int p_fd;
	int p_port;
} peerinfo_t;

translator reqinfo_t < request_t *R > {
	r_method = copyinstr((uintptr_t)*(uintptr_t *)copyin((uintptr_t)&R->method, sizeof (R->method)));
	r_uri = copyinstr((uintptr_t)*(uintptr_t *)copyin((uintptr_t)&R->uri, sizeof (R->uri)));
	r_bytes = *(unsigned long *)copyin((uintptr_t)&R->bytes, sizeof (R->bytes));
};

translator peerinfo_t < request_t *R > {
	p_fd = *(int *)copyin((uintptr_t)&R->fd, sizeof (R->fd));
	p_port = *(int *)copyin((uintptr_t)&R->port, sizeof (R->port));
};

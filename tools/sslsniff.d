/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sslsniff.d: show the plain text that programs send and receive by TLS.
 *
 * These are SSL_read and SSL_write of OpenSSL's libssl with their _ex variants, and gnutls_record_recv, gnutls_record_send and
 * gnutls_record_send2 of GnuTLS, when they return and have carried something: at most the first 16384 bytes.
 * Text ends at a byte of 0; -x shows all bytes. A line says if there was more. Calls by way of OpenSSL's BIO, SSL_sendfile,
 * and programs with a TLS of their own, as those in Go and Java, are not seen.
 *
 * filters: -p -n -c -g
 * option: -x | hexadecimal | show bytes in hexadecimal beside the text
 * column: CALL | READ or WRITE
 * column: PID, TID, COMM | the thread
 * column: BYTES | how many bytes the call has carried; they follow on the next lines
 * example: sslsniff.d -c 'curl -s https://example.org' | the request of a command, and the answer
 * example: sslsniff.d -x -n nginx | bytes of a server
 */

/* The library may come later. */
#pragma D option zdefs
/* gnutls_record_recv ends with a jump into a function that has no name. No exception passes through this library. */
#pragma D option uretprobes=libgnutls
#pragma D option strsize=16385
#pragma D option scratchsize=64k

inline int is_read = probefunc == "SSL_read" || probefunc == "SSL_read_ex" || probefunc == "gnutls_record_recv";

BEGIN
/heading/
{
	printf("%-5s %-7s %-7s %-15s %9s\n", "CALL", "PID", "TID", "COMM", "BYTES");
}

pid*:libssl:SSL_read:entry,
pid*:libssl:SSL_read_ex:entry,
pid*:libssl:SSL_write:entry,
pid*:libssl:SSL_write_ex:entry,
pid*:libgnutls:gnutls_record_recv:entry,
pid*:libgnutls:gnutls_record_send2:entry
/selected/
{
	self->data = (uintptr_t)arg1;
	self->bytes_at = (uintptr_t)arg3;
}

pid*:libssl:SSL_read:return,
pid*:libssl:SSL_write:return,
pid*:libgnutls:gnutls_record_recv:return,
pid*:libgnutls:gnutls_record_send2:return
/self->data/
{
	self->bytes = (int)arg1 > 0 ? (int)arg1 : 0;
}

pid*:libssl:SSL_read_ex:return,
pid*:libssl:SSL_write_ex:return
/self->data/
{
	self->bytes = (int)arg1 == 1 ? *(int64_t *)copyin(self->bytes_at, sizeof (int64_t)) : 0;
}

pid*:libssl:SSL_read*:return,
pid*:libssl:SSL_write*:return,
pid*:libgnutls:gnutls_record_recv:return,
pid*:libgnutls:gnutls_record_send2:return
/self->bytes && !hexadecimal/
{
	this->text = copyinstr(self->data, self->bytes < 16384 ? self->bytes : 16384);
	printf("%-5s %-7d %-7d %-15s %9d\n%s\n", is_read ? "READ" : "WRITE", pid, tid, execname, self->bytes, this->text);
	strlen(this->text) < self->bytes ? printf("[%d of %d bytes]\n", strlen(this->text), self->bytes) : 0;
}

pid*:libssl:SSL_read*:return,
pid*:libssl:SSL_write*:return,
pid*:libgnutls:gnutls_record_recv:return,
pid*:libgnutls:gnutls_record_send2:return
/self->bytes && hexadecimal/
{
	this->shown = self->bytes < 16384 ? self->bytes : 16384;
	printf("%-5s %-7d %-7d %-15s %9d", is_read ? "READ" : "WRITE", pid, tid, execname, self->bytes);
	tracemem(copyin(self->data, this->shown), 16384, this->shown);
	printf("\n");
	this->shown < self->bytes ? printf("[%d of %d bytes]\n", this->shown, self->bytes) : 0;
}

pid*:libssl:SSL_read*:return,
pid*:libssl:SSL_write*:return,
pid*:libgnutls:gnutls_record_recv:return,
pid*:libgnutls:gnutls_record_send2:return
{
	self->data = 0;
	self->bytes = 0;
}

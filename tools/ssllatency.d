/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ssllatency.d: show how long TLS calls of programs take, and how many bytes they carry.
 *
 * Calls are SSL_read, SSL_write, their _ex variants, and SSL_do_handshake of OpenSSL's libssl, in all programs that use that
 * library. SSL_connect and SSL_accept are handshakes. In programs that use GnuTLS they are gnutls_record_recv,
 * gnutls_record_send, gnutls_record_send2 and gnutls_handshake. The time of a call includes its wait for the network. A read or
 * write that makes the handshake by itself is a read or write. Calls by way of OpenSSL's BIO, and programs with a TLS of their
 * own, as those in Go and Java, are not seen.
 *
 * filters: -p -n -c -g -i
 * option: -s | summary | show one line for each process and call in place of distributions
 * option: -m US=0 | min_us | count only calls that took at least so many microseconds
 * column: PID, COMM | the process
 * column: CALL | read, write or handshake
 * column: COUNT | how many calls returned
 * column: EMPTY | reads and writes among them that carried nothing: the end, an error, or a socket that would block
 * column: BYTES | plain bytes that were read or written
 * column: P50(us), P99(us) | so many of 100 took no longer, in microseconds: upper bounds of powers of two
 * column: MAX(us) | the longest, in microseconds
 * example: ssllatency.d -s -i 1 | second by second, by process and call
 * example: ssllatency.d -c 'curl -s https://example.org' | times and sizes of one command, as distributions
 * example: ssllatency.d -s -m 100000 -n nginx | calls of a server that took 100 ms or more
 */

/* The library may come later. */
#pragma D option zdefs
/* gnutls_record_recv ends with a jump into a function that has no name. No exception passes through this library. */
#pragma D option uretprobes=libgnutls

enum tls_call { read, write, handshake };
self enum tls_call call;

pid*:libssl:SSL_read:entry,
pid*:libssl:SSL_read_ex:entry,
pid*:libgnutls:gnutls_record_recv:entry
/selected/
{
	self->call = read;
	self->from = timestamp;
	self->bytes_at = arg3;
	self->shaking = 0;
}

pid*:libssl:SSL_write:entry,
pid*:libssl:SSL_write_ex:entry,
pid*:libgnutls:gnutls_record_send2:entry
/selected/
{
	self->call = write;
	self->from = timestamp;
	self->bytes_at = arg3;
	self->shaking = 0;
}

/* SSL_connect and SSL_accept jump to SSL_do_handshake. A gnutls_handshake that gnutls_record_recv calls is part of the read. */
pid*:libssl:SSL_do_handshake:entry,
pid*:libgnutls:gnutls_handshake:entry
/selected && !(self->from && probefunc == "gnutls_handshake")/
{
	self->call = handshake;
	self->from = timestamp;
	self->shaking = probefunc == "gnutls_handshake" ? 3 : 1;
}

/*
 * The number of bytes is the result, or stored by the _ex variants. gnutls_record_send is gnutls_record_send2.
 */
pid*:libssl:SSL_read:return,
pid*:libssl:SSL_write:return,
pid*:libgnutls:gnutls_record_recv:return,
pid*:libgnutls:gnutls_record_send2:return
/self->from/
{
	self->bytes = (int)arg1 > 0 ? (int)arg1 : 0;
	self->over = 1;
}

pid*:libssl:SSL_read_ex:return,
pid*:libssl:SSL_write_ex:return
/self->from/
{
	self->bytes = (int)arg1 == 1 ? *(int64_t *)copyin(self->bytes_at, sizeof (int64_t)) : 0;
	self->over = 1;
}

/*
 * SSL_do_handshake jumps to the state machine, whose functions have no names outside of the library. The last that it calls is
 * BUF_MEM_free(NULL). SSL_clear, which it calls before, may do the same. If there is nothing to do, SSL_do_handshake returns.
 */
pid*:libssl:SSL_clear:entry
/self->shaking/
{
	self->shaking = 2;
}

pid*:libssl:SSL_clear:return
/self->shaking/
{
	self->shaking = 1;
}

pid*:libcrypto:BUF_MEM_free:entry
/self->shaking == 1 && !arg0/
{
	self->over = 1;
}

pid*:libssl:SSL_do_handshake:return
/self->shaking && ((int)arg1 == 1 || (int)arg1 == -1)/
{
	self->over = 1;
}

pid*:libgnutls:gnutls_handshake:return
/self->shaking == 3/
{
	self->over = 1;
}

/* Wherever a call ends. */
pid*:libssl:SSL_read*:return,
pid*:libssl:SSL_write*:return,
pid*:libssl:SSL_do_handshake:return,
pid*:libcrypto:BUF_MEM_free:entry,
pid*:libgnutls:gnutls_record_recv:return,
pid*:libgnutls:gnutls_record_send2:return,
pid*:libgnutls:gnutls_handshake:return
/self->over/
{
	this->us = (timestamp - self->from) / 1000;
	if (this->us >= min_us) {
		@times[pid, execname, self->call] = quantize(this->us);
		if (summary) {
			@count[pid, execname, self->call] = count();
			@longest[pid, execname, self->call] = max(this->us);
		}
		if (summary && !self->shaking) {
			@empty[pid, execname, self->call] = sum(self->bytes == 0);
			@bytes[pid, execname, self->call] = sum(self->bytes);
		}
		if (!summary && self->bytes) {
			@sizes[pid, execname, self->call] = quantize(self->bytes);
		}
	}
	self->from = 0;
	self->bytes = 0;
	self->over = 0;
	self->shaking = 0;
}

tick-1s, END
/summary && due/
{
	heading ? printf("%-7s %-15s %-9s %9s %9s %12s %9s %9s %9s\n", "PID", "COMM", "CALL", "COUNT", "EMPTY", "BYTES",
	    "P50(us)", "P99(us)", "MAX(us)") : 0;
	printa("%-7d %-15s %-9s %@9d %@9d %@12d %@9.5q %@9.99q %@9d\n", @count, @empty, @bytes, @times, @times, @longest);
}

tick-1s, END
/!summary && due/
{
	printa("%d %s %s, microseconds %@d\n", @times);
	printa("%d %s %s, bytes %@d\n", @sizes);
}

tick-1s, END
/due/
{
	trunc(@count);
	trunc(@empty);
	trunc(@bytes);
	trunc(@times);
	trunc(@longest);
	trunc(@sizes);
}

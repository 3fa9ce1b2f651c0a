/*
 * The probes of the example server: what a tracer may ask about requests.
 *
 * Each probe passes structures of the server itself; the second list says what D programs see instead. The D library
 * file httpd.d has the translators. The server's own types need not be described here.
 */
provider httpserver {
	probe connection__open(int fd) : (int fd);
	probe request__start(request_t *r) : (reqinfo_t *r, peerinfo_t *r);
	probe request__done(request_t *r, int status) : (reqinfo_t *r, peerinfo_t *r, int status);
};

#pragma D attributes Evolving/Evolving/Common provider httpserver provider
#pragma D attributes Private/Private/Unknown provider httpserver module
#pragma D attributes Private/Private/Unknown provider httpserver function
#pragma D attributes Evolving/Evolving/Common provider httpserver name
#pragma D attributes Evolving/Evolving/Common provider httpserver args

/*
 * Probes of Apache's httpd: a request has been read, a request is done. The structure is the module's own; scripts see
 * what httpd.d makes of it.
 */
typedef struct { int dummy; } reqprobe_t;
typedef struct { int dummy; } conninfo_t;
typedef struct { int dummy; } reqinfo_t;

provider httpd {
	probe request__start(reqprobe_t *r) : (conninfo_t *r, reqinfo_t *r);
	probe request__done(reqprobe_t *r) : (conninfo_t *r, reqinfo_t *r);
};

#pragma D attributes Evolving/Evolving/Common provider httpd provider
#pragma D attributes Private/Private/Unknown provider httpd module
#pragma D attributes Private/Private/Unknown provider httpd function
#pragma D attributes Evolving/Evolving/Common provider httpd name
#pragma D attributes Evolving/Evolving/Common provider httpd args

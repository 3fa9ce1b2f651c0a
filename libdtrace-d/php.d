/* SPDX-License-Identifier: Apache-2.0 */
/*
 * php.d - arguments of the probes in PHP's engine, versions 5.4 and later.
 */
provider php {
	probe request__startup(char *file, char *uri, char *method);
	probe request__shutdown(char *file, char *uri, char *method);
	probe compile__file__entry(char *file, char *translated);
	probe compile__file__return(char *file, char *translated);
	probe execute__entry(char *file, int line);
	probe execute__return(char *file, int line);
	probe function__entry(char *function, char *file, int line, char *class, char *scope);
	probe function__return(char *function, char *file, int line, char *class, char *scope);
	probe exception__thrown(char *class);
	probe exception__caught(char *class);
	probe error(char *message, char *file, int line);
};

#pragma D attributes Evolving/Evolving/Common provider php provider
#pragma D attributes Private/Private/Unknown provider php module
#pragma D attributes Private/Private/Unknown provider php function
#pragma D attributes Evolving/Evolving/Common provider php name
#pragma D attributes Evolving/Evolving/Common provider php args

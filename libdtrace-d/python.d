/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python.d - arguments of the probes in CPython, versions 3.6 and later.
 */
provider python {
	probe function__entry(const char *file, const char *function, int line);
	probe function__return(const char *file, const char *function, int line);
	probe line(const char *file, const char *function, int line);
	probe instance__new__start(const char *type, const char *base);
	probe instance__new__done(const char *type, const char *base);
	probe instance__delete__start(const char *type, const char *base);
	probe instance__delete__done(const char *type, const char *base);
	probe gc__start(int generation);
	probe gc__done(long collected);
	probe import__find__load__start(const char *module);
	probe import__find__load__done(const char *module, int found);
	probe audit(const char *event, void *arguments);
};

#pragma D attributes Evolving/Evolving/Common provider python provider
#pragma D attributes Evolving/Evolving/Common provider python module
#pragma D attributes Evolving/Evolving/Common provider python function
#pragma D attributes Evolving/Evolving/Common provider python name
#pragma D attributes Evolving/Evolving/Common provider python args

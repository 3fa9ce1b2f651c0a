/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hotspot.d - arguments of the probes in OpenJDK's virtual machine. Names are not ended by a NUL: their lengths follow
 * them, as in copyinstr(arg0, arg1). Threads are numbered as by java.lang.Thread.
 */
provider hotspot {
	probe vm__init__begin();
	probe vm__init__end();
	probe vm__shutdown();
	probe vmops__request(char *name, uintptr_t length, int mode);
	probe vmops__begin(char *name, uintptr_t length, int mode);
	probe vmops__end(char *name, uintptr_t length, int mode);

	probe class__loaded(char *name, int length, void *loader, bool shared);
	probe class__unloaded(char *name, int length, void *loader, bool shared);
	probe class__initialization__required(char *name, int length, void *loader, int thread);
	probe class__initialization__recursive(char *name, int length, void *loader, int thread, bool wait);
	probe class__initialization__concurrent(char *name, int length, void *loader, int thread, bool wait);
	probe class__initialization__erroneous(char *name, int length, void *loader, int thread, bool wait);
	probe class__initialization__super__failed(char *name, int length, void *loader, int thread, bool wait);
	probe class__initialization__clinit(char *name, int length, void *loader, int thread, bool wait);
	probe class__initialization__error(char *name, int length, void *loader, int thread, bool wait);
	probe class__initialization__end(char *name, int length, void *loader, int thread, bool wait);

	probe gc__begin(bool full);
	probe gc__end();
	probe mem__pool__gc__begin(char *manager, uintptr_t length, char *pool, uintptr_t pool_length, uintptr_t initial,
	    uintptr_t used, uintptr_t committed, uintptr_t max);
	probe mem__pool__gc__end(char *manager, uintptr_t length, char *pool, uintptr_t pool_length, uintptr_t initial,
	    uintptr_t used, uintptr_t committed, uintptr_t max);

	probe thread__start(char *name, int length, long thread, uintptr_t native, bool daemon);
	probe thread__stop(char *name, int length, long thread, uintptr_t native, bool daemon);
	probe thread__sleep__begin(long long ns);
	probe thread__sleep__end(int interrupted);
	probe thread__yield();
	probe thread__park__begin(uintptr_t parker, int absolute, long long time);
	probe thread__park__end(uintptr_t parker);
	probe thread__unpark(uintptr_t parker);

	probe method__compile__begin(char *compiler, uintptr_t compiler_length, char *class, int class_length, char *method,
	    int method_length, char *signature, int signature_length);
	probe method__compile__end(char *compiler, uintptr_t compiler_length, char *class, int class_length, char *method,
	    int method_length, char *signature, int signature_length, bool success);
	probe compiled__method__load(char *class, int class_length, char *method, int method_length, char *signature,
	    int signature_length, void *code, int size);
	probe compiled__method__unload(char *class, int class_length, char *method, int method_length, char *signature,
	    int signature_length);

	/* Only in a virtual machine with -XX:+ExtendedDTraceProbes, or the flag for the kind of probe. */
	probe monitor__contended__enter(long thread, uintptr_t monitor, char *class, int length);
	probe monitor__contended__entered(long thread, uintptr_t monitor, char *class, int length);
	probe monitor__contended__exit(long thread, uintptr_t monitor, char *class, int length);
	probe monitor__wait(long thread, uintptr_t monitor, char *class, int length, long ms);
	probe monitor__waited(long thread, uintptr_t monitor, char *class, int length);
	probe monitor__notify(long thread, uintptr_t monitor, char *class, int length);
	probe monitor__notifyAll(long thread, uintptr_t monitor, char *class, int length);
	probe object__alloc(long thread, char *class, int length, int words);
	probe method__entry(long thread, char *class, int class_length, char *method, int method_length, char *signature,
	    int signature_length);
	probe method__return(long thread, char *class, int class_length, char *method, int method_length, char *signature,
	    int signature_length);
};

#pragma D attributes Evolving/Evolving/Common provider hotspot provider
#pragma D attributes Evolving/Evolving/Common provider hotspot module
#pragma D attributes Evolving/Evolving/Common provider hotspot function
#pragma D attributes Evolving/Evolving/Common provider hotspot name
#pragma D attributes Evolving/Evolving/Common provider hotspot args

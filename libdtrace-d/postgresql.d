/* SPDX-License-Identifier: Apache-2.0 */
/*
 * postgresql.d - arguments of the probes in PostgreSQL's server, versions 9.6 to 17. Programs that were built with
 * notes of their own say themselves what they pass; those of distributions do not. Where versions differ, the list is
 * the longest: an argument that a server does not pass is not there.
 */
provider postgresql {
	probe transaction__start(unsigned int lxid);
	probe transaction__commit(unsigned int lxid);
	probe transaction__abort(unsigned int lxid);

	/* Names of the lock's tranche, and LWLockMode. */
	probe lwlock__acquire(const char *tranche, int mode);
	probe lwlock__release(const char *tranche);
	probe lwlock__wait__start(const char *tranche, int mode);
	probe lwlock__wait__done(const char *tranche, int mode);
	probe lwlock__condacquire(const char *tranche, int mode);
	probe lwlock__condacquire__fail(const char *tranche, int mode);
	probe lwlock__acquire__or__wait(const char *tranche, int mode);
	probe lwlock__acquire__or__wait__fail(const char *tranche, int mode);

	/* The fields of the lock's tag, its type, and LOCKMODE. */
	probe lock__wait__start(unsigned int f1, unsigned int f2, unsigned int f3, unsigned int f4, unsigned int type, int mode);
	probe lock__wait__done(unsigned int f1, unsigned int f2, unsigned int f3, unsigned int f4, unsigned int type, int mode);

	probe query__parse__start(const char *query);
	probe query__parse__done(const char *query);
	probe query__rewrite__start(const char *query);
	probe query__rewrite__done(const char *query);
	probe query__plan__start();
	probe query__plan__done();
	probe query__execute__start();
	probe query__execute__done();
	probe query__start(const char *query);
	probe query__done(const char *query);
	probe statement__status(const char *status);

	probe sort__start(int kind, unsigned char unique, int keys, int kib, unsigned char random, int parallel);
	probe sort__done(unsigned char external, long used);

	/* A page: fork, block, tablespace, database, relation; then the backend of a temporary relation, else -1. */
	probe buffer__read__start(int fork, unsigned int block, unsigned int space, unsigned int database, unsigned int relation,
	    int backend, unsigned char extend);
	probe buffer__read__done(int fork, unsigned int block, unsigned int space, unsigned int database, unsigned int relation,
	    int backend, unsigned char extend, unsigned char found);
	probe buffer__extend__start(int fork, unsigned int space, unsigned int database, unsigned int relation, int backend,
	    unsigned int by);
	probe buffer__extend__done(int fork, unsigned int space, unsigned int database, unsigned int relation, int backend,
	    unsigned int by, unsigned int first);
	probe buffer__flush__start(int fork, unsigned int block, unsigned int space, unsigned int database, unsigned int relation);
	probe buffer__flush__done(int fork, unsigned int block, unsigned int space, unsigned int database, unsigned int relation);
	probe buffer__write__dirty__start(int fork, unsigned int block, unsigned int space, unsigned int database,
	    unsigned int relation);
	probe buffer__write__dirty__done(int fork, unsigned int block, unsigned int space, unsigned int database,
	    unsigned int relation);
	probe buffer__checkpoint__start(int flags);
	probe buffer__checkpoint__sync__start();
	probe buffer__checkpoint__done();
	probe buffer__sync__start(int buffers, int to_write);
	probe buffer__sync__written(int buffer);
	probe buffer__sync__done(int buffers, int written, int to_write);

	probe deadlock__found();

	probe checkpoint__start(int flags);
	probe checkpoint__done(int written, int buffers, int segments_added, int segments_removed, int segments_recycled);
	probe clog__checkpoint__start(unsigned char shutdown);
	probe clog__checkpoint__done(unsigned char shutdown);
	probe subtrans__checkpoint__start(unsigned char shutdown);
	probe subtrans__checkpoint__done(unsigned char shutdown);
	probe multixact__checkpoint__start(unsigned char shutdown);
	probe multixact__checkpoint__done(unsigned char shutdown);
	probe twophase__checkpoint__start();
	probe twophase__checkpoint__done();

	probe smgr__md__read__start(int fork, unsigned int block, unsigned int space, unsigned int database,
	    unsigned int relation, int backend);
	probe smgr__md__read__done(int fork, unsigned int block, unsigned int space, unsigned int database,
	    unsigned int relation, int backend, int bytes, int wanted);
	probe smgr__md__write__start(int fork, unsigned int block, unsigned int space, unsigned int database,
	    unsigned int relation, int backend);
	probe smgr__md__write__done(int fork, unsigned int block, unsigned int space, unsigned int database,
	    unsigned int relation, int backend, int bytes, int wanted);

	probe wal__insert(unsigned char manager, unsigned char info);
	probe wal__switch();
	probe wal__buffer__write__dirty__start();
	probe wal__buffer__write__dirty__done();
};

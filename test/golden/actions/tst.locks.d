/*
 * ASSERTION: the state of locks, in memory that is laid out as the kernel's.
 * SECTION: Actions and subroutines/Subroutines
 */
#pragma D option quiet
BEGIN
{
	this->m = &curthread->signal->cred_guard_mutex;
	printf("%d %d %d %d\n", mutex_owned(this->m), mutex_owner(this->m) == NULL, mutex_type_adaptive(this->m),
	    mutex_type_spin(this->m));
	this->mine = (struct mutex *)alloca(sizeof (struct mutex));
	this->mine->owner.counter = (int64_t)curthread | 1;	/* the low bits are flags */
	printf("%d %d\n", mutex_owned(this->mine), mutex_owner(this->mine) == curthread);
	this->mine->owner.counter = (int64_t)curthread->group_leader->real_parent;
	printf("%d %d\n", mutex_owned(this->mine), mutex_owner(this->mine)->tgid == ppid);

	this->rw = (rwlock_t *)alloca(sizeof (rwlock_t));
	printf("%d %d %d\n", rw_read_held(this->rw), rw_write_held(this->rw), rw_iswriter(this->rw));
	this->rw->raw_lock.cnts.counter = 0x400;	/* two readers */
	printf("%d %d %d\n", rw_read_held(this->rw), rw_write_held(this->rw), rw_iswriter(this->rw));
	this->rw->raw_lock.cnts.counter = 0xff;		/* a writer */
	printf("%d %d\n", rw_read_held(this->rw), rw_write_held(this->rw));
	exit(0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dtruss.d: show the system calls of programs with their arguments, results and errors.
 *
 * One line for each call, when it returns. Paths and other strings are shown as text, as are the first bytes of what is
 * read and written, up to a byte of 0; other arguments are numbers, large ones hexadecimal. Strings are read when the
 * call returns: another thread may have changed them meanwhile. A call that fails with EFAULT shows numbers only.
 *
 * filters: -p -n -c -g
 * option: -x | failed | show only calls that failed
 * option: -m US=0 | min_us | show only calls that took at least so many microseconds
 * option: -s CALL | call | show only this call, as in openat
 * column: TID | the thread
 * column: LAT(us) | the time from entry to return in microseconds
 * column: CALL(ARGUMENTS) = RESULT | the call; after a result of -1, the error
 * example: dtruss.d -c 'cat /etc/hostname' | the calls of a command and its children
 * example: dtruss.d -x -p 1234 | what fails in a process
 */

/* Kernels differ in the calls that they have. */
#pragma D option zdefs

BEGIN
/heading/
{
	printf("%-7s %9s %s\n", "TID", "LAT(us)", "CALL(ARGUMENTS) = RESULT");
}

syscall:::entry
/selected && (!has_call || probefunc == call)/
{
	self->entered = timestamp;
	self->a0 = (uint64_t)arg0;
	self->a1 = (uint64_t)arg1;
	self->a2 = (uint64_t)arg2;
	self->a3 = (uint64_t)arg3;
	self->a4 = (uint64_t)arg4;
	self->a5 = (uint64_t)arg5;
}

/* What does not return. */
syscall::exit:entry, syscall::exit_group:entry
/self->entered && !failed && !min_us/
{
	printf("%-7d %9s %s(%d) = ?\n", tid, "-", probefunc, self->a0);
}

/* Read at the entry: when the program is replaced, nothing is left to be read at the return. */
proc:::exec
/self->entered/
{
	self->program = args[0];
}

syscall::execve:return, syscall::execveat:return
/self->entered && (!failed || errno) && (timestamp - self->entered) / 1000 >= min_us/
{
	printf("%-7d %9d %s(\"%S\") = %d", tid, (timestamp - self->entered) / 1000, probefunc, self->program, (int)arg0);
	errno ? printf(" %s\n", errno_name[errno]) : printf("\n");
}

syscall::execve:return, syscall::execveat:return
{
	self->entered = 0;
	self->program = 0;
}

/* How many arguments a call has. */
syscall::delete_module:return, syscall::finit_module:return, syscall::fork:return, syscall::getegid:return,
syscall::geteuid:return, syscall::getgid:return, syscall::getpgrp:return, syscall::getpid:return,
syscall::getppid:return, syscall::gettid:return, syscall::getuid:return, syscall::init_module:return,
syscall::inotify_init:return, syscall::kexec_file_load:return, syscall::kexec_load:return, syscall::listns:return,
syscall::map_shadow_stack:return, syscall::munlockall:return, syscall::pause:return, syscall::restart_syscall:return,
syscall::sched_yield:return, syscall::setsid:return, syscall::sync:return, syscall::vfork:return,
syscall::vhangup:return
{
	this->count = 0;
}

syscall::acct:return, syscall::adjtimex:return, syscall::alarm:return, syscall::brk:return, syscall::chdir:return,
syscall::chroot:return, syscall::close:return, syscall::dup:return, syscall::epoll_create:return,
syscall::epoll_create1:return, syscall::eventfd:return, syscall::fchdir:return, syscall::fdatasync:return,
syscall::fsync:return, syscall::getpgid:return, syscall::getsid:return, syscall::inotify_init1:return,
syscall::io_destroy:return, syscall::iopl:return, syscall::memfd_secret:return, syscall::mlockall:return,
syscall::mq_unlink:return, syscall::personality:return, syscall::pipe:return, syscall::pkey_free:return,
syscall::rmdir:return, syscall::sched_get_priority_max:return, syscall::sched_get_priority_min:return,
syscall::sched_getscheduler:return, syscall::set_tid_address:return, syscall::setfsgid:return, syscall::setfsuid:return,
syscall::setgid:return, syscall::setuid:return, syscall::shmdt:return, syscall::swapoff:return, syscall::syncfs:return,
syscall::sysinfo:return, syscall::time:return, syscall::timer_delete:return, syscall::timer_getoverrun:return,
syscall::times:return, syscall::umask:return, syscall::uname:return, syscall::unlink:return, syscall::unshare:return,
syscall::userfaultfd:return
{
	this->count = 1;
}

syscall::access:return, syscall::arch_prctl:return, syscall::capget:return, syscall::capset:return,
syscall::chmod:return, syscall::clock_adjtime:return, syscall::clock_getres:return, syscall::clock_gettime:return,
syscall::clock_settime:return, syscall::clone3:return, syscall::creat:return, syscall::dup2:return,
syscall::eventfd2:return, syscall::fanotify_init:return, syscall::fchmod:return, syscall::flock:return,
syscall::fremovexattr:return, syscall::fsopen:return, syscall::fstat:return, syscall::fstatfs:return,
syscall::ftruncate:return, syscall::getcwd:return, syscall::getgroups:return, syscall::getitimer:return,
syscall::getpriority:return, syscall::getrlimit:return, syscall::getrusage:return, syscall::gettimeofday:return,
syscall::inotify_rm_watch:return, syscall::io_setup:return, syscall::io_uring_setup:return, syscall::ioprio_get:return,
syscall::kill:return, syscall::landlock_restrict_self:return, syscall::link:return, syscall::listen:return,
syscall::lremovexattr:return, syscall::lstat:return, syscall::memfd_create:return, syscall::mkdir:return,
syscall::mlock:return, syscall::mq_notify:return, syscall::msgget:return, syscall::munlock:return,
syscall::munmap:return, syscall::nanosleep:return, syscall::pidfd_open:return, syscall::pipe2:return,
syscall::pivot_root:return, syscall::pkey_alloc:return, syscall::process_mrelease:return, syscall::removexattr:return,
syscall::rename:return, syscall::rt_sigpending:return, syscall::rt_sigsuspend:return, syscall::sched_getparam:return,
syscall::sched_rr_get_interval:return, syscall::sched_setparam:return, syscall::set_robust_list:return,
syscall::setdomainname:return, syscall::setgroups:return, syscall::sethostname:return, syscall::setns:return,
syscall::setpgid:return, syscall::setregid:return, syscall::setreuid:return, syscall::setrlimit:return,
syscall::settimeofday:return, syscall::shutdown:return, syscall::sigaltstack:return, syscall::stat:return,
syscall::statfs:return, syscall::swapon:return, syscall::symlink:return, syscall::timer_gettime:return,
syscall::timerfd_create:return, syscall::timerfd_gettime:return, syscall::tkill:return, syscall::truncate:return,
syscall::umount2:return, syscall::ustat:return, syscall::utime:return, syscall::utimes:return
{
	this->count = 2;
}

syscall::accept:return, syscall::bind:return, syscall::bpf:return, syscall::chown:return, syscall::close_range:return,
syscall::connect:return, syscall::dup3:return, syscall::faccessat:return, syscall::fchmodat:return,
syscall::fchown:return, syscall::fcntl:return, syscall::flistxattr:return, syscall::fsmount:return,
syscall::fspick:return, syscall::futimesat:return, syscall::get_robust_list:return, syscall::getcpu:return,
syscall::getdents:return, syscall::getdents64:return, syscall::getpeername:return, syscall::getrandom:return,
syscall::getresgid:return, syscall::getresuid:return, syscall::getsockname:return, syscall::inotify_add_watch:return,
syscall::io_cancel:return, syscall::io_submit:return, syscall::ioctl:return, syscall::ioperm:return,
syscall::ioprio_set:return, syscall::landlock_create_ruleset:return, syscall::lchown:return, syscall::listxattr:return,
syscall::llistxattr:return, syscall::lseek:return, syscall::lsm_list_modules:return, syscall::madvise:return,
syscall::membarrier:return, syscall::mincore:return, syscall::mkdirat:return, syscall::mknod:return,
syscall::mlock2:return, syscall::modify_ldt:return, syscall::mprotect:return, syscall::mq_getsetattr:return,
syscall::mseal:return, syscall::msgctl:return, syscall::msync:return, syscall::open:return,
syscall::open_by_handle_at:return, syscall::open_tree:return, syscall::pidfd_getfd:return, syscall::poll:return,
syscall::read:return, syscall::readahead:return, syscall::readlink:return, syscall::readv:return,
syscall::recvmsg:return, syscall::rt_sigqueueinfo:return, syscall::sched_getaffinity:return,
syscall::sched_setaffinity:return, syscall::sched_setattr:return, syscall::sched_setscheduler:return,
syscall::seccomp:return, syscall::semget:return, syscall::semop:return, syscall::sendmsg:return,
syscall::set_mempolicy:return, syscall::setitimer:return, syscall::setpriority:return, syscall::setresgid:return,
syscall::setresuid:return, syscall::shmat:return, syscall::shmctl:return, syscall::shmget:return,
syscall::signalfd:return, syscall::socket:return, syscall::symlinkat:return, syscall::sysfs:return,
syscall::syslog:return, syscall::tgkill:return, syscall::timer_create:return, syscall::unlinkat:return,
syscall::write:return, syscall::writev:return
{
	this->count = 3;
}

syscall::accept4:return, syscall::cachestat:return, syscall::clock_nanosleep:return, syscall::epoll_ctl:return,
syscall::epoll_wait:return, syscall::faccessat2:return, syscall::fadvise64:return, syscall::fallocate:return,
syscall::fchmodat2:return, syscall::fgetxattr:return, syscall::futex_requeue:return, syscall::futex_wake:return,
syscall::getxattr:return, syscall::io_uring_register:return, syscall::landlock_add_rule:return,
syscall::lgetxattr:return, syscall::listmount:return, syscall::lsm_get_self_attr:return,
syscall::lsm_set_self_attr:return, syscall::migrate_pages:return, syscall::mknodat:return, syscall::mq_open:return,
syscall::msgsnd:return, syscall::newfstatat:return, syscall::openat:return, syscall::openat2:return,
syscall::pidfd_send_signal:return, syscall::pkey_mprotect:return, syscall::pread64:return, syscall::prlimit64:return,
syscall::ptrace:return, syscall::pwrite64:return, syscall::quotactl:return, syscall::quotactl_fd:return,
syscall::readlinkat:return, syscall::reboot:return, syscall::removexattrat:return, syscall::renameat:return,
syscall::request_key:return, syscall::rseq:return, syscall::rt_sigaction:return, syscall::rt_sigprocmask:return,
syscall::rt_sigtimedwait:return, syscall::rt_tgsigqueueinfo:return, syscall::sched_getattr:return,
syscall::semctl:return, syscall::semtimedop:return, syscall::sendfile:return, syscall::sendmmsg:return,
syscall::set_mempolicy_home_node:return, syscall::signalfd4:return, syscall::socketpair:return,
syscall::statmount:return, syscall::sync_file_range:return, syscall::tee:return, syscall::timer_settime:return,
syscall::timerfd_settime:return, syscall::utimensat:return, syscall::vmsplice:return, syscall::wait4:return
{
	this->count = 4;
}

syscall::add_key:return, syscall::clone:return, syscall::fanotify_mark:return, syscall::fchownat:return,
syscall::file_getattr:return, syscall::file_setattr:return, syscall::fsconfig:return, syscall::fsetxattr:return,
syscall::futex_waitv:return, syscall::get_mempolicy:return, syscall::getsockopt:return, syscall::io_getevents:return,
syscall::kcmp:return, syscall::keyctl:return, syscall::linkat:return, syscall::listxattrat:return,
syscall::lsetxattr:return, syscall::mount:return, syscall::mount_setattr:return, syscall::move_mount:return,
syscall::mq_timedreceive:return, syscall::mq_timedsend:return, syscall::mremap:return, syscall::msgrcv:return,
syscall::name_to_handle_at:return, syscall::open_tree_attr:return, syscall::perf_event_open:return,
syscall::ppoll:return, syscall::prctl:return, syscall::preadv:return, syscall::process_madvise:return,
syscall::pwritev:return, syscall::recvmmsg:return, syscall::remap_file_pages:return, syscall::renameat2:return,
syscall::select:return, syscall::setsockopt:return, syscall::setxattr:return, syscall::statx:return,
syscall::waitid:return
{
	this->count = 5;
}

syscall::copy_file_range:return, syscall::epoll_pwait:return, syscall::epoll_pwait2:return, syscall::futex:return,
syscall::futex_wait:return, syscall::getxattrat:return, syscall::io_pgetevents:return, syscall::io_uring_enter:return,
syscall::mbind:return, syscall::mmap:return, syscall::move_pages:return, syscall::preadv2:return,
syscall::process_vm_readv:return, syscall::process_vm_writev:return, syscall::pselect6:return, syscall::pwritev2:return,
syscall::recvfrom:return, syscall::sendto:return, syscall::setxattrat:return, syscall::splice:return
{
	this->count = 6;
}

/* Which of them are strings: a bit each, the lowest is the first argument. */
syscall::access:return, syscall::acct:return, syscall::chdir:return, syscall::chmod:return, syscall::chown:return,
syscall::chroot:return, syscall::creat:return, syscall::fsopen:return, syscall::getcwd:return, syscall::lchown:return,
syscall::listxattr:return, syscall::llistxattr:return, syscall::lstat:return, syscall::memfd_create:return,
syscall::mkdir:return, syscall::mknod:return, syscall::mq_open:return, syscall::mq_unlink:return, syscall::open:return,
syscall::readlink:return, syscall::rmdir:return, syscall::stat:return, syscall::statfs:return, syscall::swapoff:return,
syscall::swapon:return, syscall::truncate:return, syscall::umount2:return, syscall::unlink:return, syscall::utime:return,
syscall::utimes:return
{
	this->text = 0x1;
}

syscall::add_key:return, syscall::getxattr:return, syscall::lgetxattr:return, syscall::link:return,
syscall::lremovexattr:return, syscall::lsetxattr:return, syscall::pivot_root:return, syscall::removexattr:return,
syscall::rename:return, syscall::request_key:return, syscall::setxattr:return, syscall::symlink:return
{
	this->text = 0x3;
}

syscall::faccessat:return, syscall::faccessat2:return, syscall::fchmodat:return, syscall::fchmodat2:return,
syscall::fchownat:return, syscall::fgetxattr:return, syscall::file_getattr:return, syscall::file_setattr:return,
syscall::fremovexattr:return, syscall::fsetxattr:return, syscall::fspick:return, syscall::futimesat:return,
syscall::inotify_add_watch:return, syscall::listxattrat:return, syscall::mkdirat:return, syscall::mknodat:return,
syscall::mount_setattr:return, syscall::name_to_handle_at:return, syscall::newfstatat:return, syscall::open_tree:return,
syscall::open_tree_attr:return, syscall::openat:return, syscall::openat2:return, syscall::quotactl:return,
syscall::readlinkat:return, syscall::statx:return, syscall::unlinkat:return, syscall::utimensat:return
{
	this->text = 0x2;
}

syscall::symlinkat:return
{
	this->text = 0x5;
}

syscall::getxattrat:return, syscall::linkat:return, syscall::move_mount:return, syscall::removexattrat:return,
syscall::renameat:return, syscall::renameat2:return, syscall::setxattrat:return
{
	this->text = 0xa;
}

syscall::mount:return
{
	this->text = 0x7;
}

/* Calls whose second argument is a buffer that holds as many bytes as the result says. */
syscall::read:return, syscall::write:return, syscall::pread64:return, syscall::pwrite64:return, syscall::sendto:return,
syscall::recvfrom:return
/arg1 > 0/
{
	this->data = arg1 < 32 ? arg1 : 32;
}

syscall:::return
/self->entered && errno == EFAULT/
{
	this->text = 0;
}

syscall:::return
/self->entered && (!failed || errno) && (timestamp - self->entered) / 1000 >= min_us/
{
	printf("%-7d %9d %s(", tid, (timestamp - self->entered) / 1000, probefunc);
	if (this->count > 0) {
		if (this->text & 0x1 && self->a0) {
			printf("\"%S\"", copyinstr(self->a0));
		} else if ((int)self->a0 == -100 && this->text) {
			printf("AT_FDCWD");
		} else if (self->a0 + 4096 > 69632) {
			printf("0x%x", self->a0);
		} else {
			printf("%d", (int64_t)self->a0);
		}
	}
	if (this->count > 1) {
		if (this->data) {
			printf(", \"%S\"%s", copyinstr(self->a1, this->data), arg1 > 32 ? "..." : "");
		} else if (this->text & 0x2 && self->a1) {
			printf(", \"%S\"", copyinstr(self->a1));
		} else if ((int)self->a1 == -100 && this->text & 0x4) {
			printf(", AT_FDCWD");
		} else if (self->a1 + 4096 > 69632) {
			printf(", 0x%x", self->a1);
		} else {
			printf(", %d", (int64_t)self->a1);
		}
	}
	if (this->count > 2) {
		if (this->text & 0x4 && self->a2) {
			printf(", \"%S\"", copyinstr(self->a2));
		} else if ((int)self->a2 == -100 && this->text & 0x8) {
			printf(", AT_FDCWD");
		} else if (self->a2 + 4096 > 69632) {
			printf(", 0x%x", self->a2);
		} else {
			printf(", %d", (int64_t)self->a2);
		}
	}
	if (this->count > 3) {
		if (this->text & 0x8 && self->a3) {
			printf(", \"%S\"", copyinstr(self->a3));
		} else if (self->a3 + 4096 > 69632) {
			printf(", 0x%x", self->a3);
		} else {
			printf(", %d", (int64_t)self->a3);
		}
	}
	if (this->count > 4) {
		if (this->text & 0x10 && self->a4) {
			printf(", \"%S\"", copyinstr(self->a4));
		} else if (self->a4 + 4096 > 69632) {
			printf(", 0x%x", self->a4);
		} else {
			printf(", %d", (int64_t)self->a4);
		}
	}
	if (this->count > 5) {
		if (this->text & 0x20 && self->a5) {
			printf(", \"%S\"", copyinstr(self->a5));
		} else if (self->a5 + 4096 > 69632) {
			printf(", 0x%x", self->a5);
		} else {
			printf(", %d", (int64_t)self->a5);
		}
	}
	if (errno) {
		printf(") = -1 %s\n", errno_name[errno]);
	} else if ((uint64_t)arg1 > 0xffffff) {
		printf(") = 0x%x\n", arg1);
	} else {
		printf(") = %d\n", arg1);
	}
}

syscall:::return
{
	self->entered = 0;
	self->a0 = 0;
	self->a1 = 0;
	self->a2 = 0;
	self->a3 = 0;
	self->a4 = 0;
	self->a5 = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io.d - open files: fileinfo_t, and fds[] of the running process.
 *
 * A number that no open file has gives "<none>" and zeros. What lies in no directory (a socket, a pipe, a file of memory)
 * has the path "<unknown>"; its name is the kernel's for it, "<none>" for sockets and pipes, which fi_fs tells apart.
 */

typedef struct fileinfo {
	string fi_name;		/* last part of fi_pathname */
	string fi_dirname;	/* all of it before that */
	string fi_pathname;
	loff_t fi_offset;
	string fi_fs;		/* type of the file system: "ext4", "sockfs", "pipefs" */
	string fi_mount;	/* where that is mounted: the kernel's structures do not say it in one place */
	int fi_oflags;		/* O_* of unistd.d */
} fileinfo_t;

/* The root of what is in no directory is itself, and no mount's. */
inline int __dt_is_unnamed[struct file *f] = f->f_path.dentry == f->f_path.dentry->d_parent &&
    f->f_path.dentry != f->f_path.mnt->mnt_root;

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL || F->f_path.dentry->d_name.len == 0 ? "<none>" :
	    F->f_path.dentry == F->f_path.mnt->mnt_root ? basename(d_path((struct path *)&F->f_path)) :
	    stringof(F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" : __dt_is_unnamed[F] ? "<unknown>" :
	    dirname(d_path((struct path *)&F->f_path));
	fi_pathname = F == NULL ? "<none>" : __dt_is_unnamed[F] ? "<unknown>" :
	    d_path((struct path *)&F->f_path);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" : stringof(F->f_path.dentry->d_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" : "<unknown>";
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (
    curthread->files != NULL && (uint_t)fd < curthread->files->fdt->max_fds ?
    curthread->files->fdt->fd[fd] : (struct file *)NULL);

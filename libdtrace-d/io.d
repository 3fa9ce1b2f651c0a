/* SPDX-License-Identifier: Apache-2.0 */
/*
 * io.d - open files: fileinfo_t, and fds[] of the running process. What disks read and write: bufinfo_t, devinfo_t.
 *
 * A number that no open file has gives "<none>" and zeros. What lies in no directory (a socket, a pipe, a file of memory)
 * has the path "<unknown>"; its name is the kernel's for it, "<none>" for sockets and pipes, which differ in fi_fs.
 */

typedef struct fileinfo {
	string fi_name;		/* last part of fi_pathname */
	string fi_dirname;	/* all of it before that */
	string fi_pathname;
	loff_t fi_offset;
	string fi_fs;		/* type of the file system: "ext4", "sockfs", "pipefs" */
	string fi_mount;	/* where that is mounted */
	int fi_oflags;		/* O_* of unistd.d */
} fileinfo_t;

/* Marks of what d_path() is given: the mount of a path instead of the path; a dentry instead of a struct path. */
inline uintptr_t __DT_PATH_OF_MOUNT = 1;
inline uintptr_t __DT_PATH_OF_ENTRY = 2;

/* An inline is written out at each use: what is used more than once is kept in variables. */
inline int __dt_has_entry[struct file *f] =
    (this->__dt_file = f) != NULL && (this->__dt_entry = this->__dt_file->f_path.dentry) != NULL;

/* The root of what is in no directory is itself, and no mount's. */
inline int __dt_is_unnamed = this->__dt_entry == this->__dt_entry->d_parent &&
    this->__dt_entry != this->__dt_file->f_path.mnt->mnt_root;

translator fileinfo_t < struct file *F > {
	fi_name = !__dt_has_entry[F] || this->__dt_entry->d_name.len == 0 ? "<none>" :
	    this->__dt_entry == this->__dt_file->f_path.mnt->mnt_root ?
	    basename(d_path((struct path *)&this->__dt_file->f_path)) : stringof(this->__dt_entry->d_name.name);
	fi_dirname = !__dt_has_entry[F] ? "<none>" : __dt_is_unnamed ? "<unknown>" :
	    dirname(d_path((struct path *)&this->__dt_file->f_path));
	fi_pathname = !__dt_has_entry[F] ? "<none>" : __dt_is_unnamed ? "<unknown>" :
	    d_path((struct path *)&this->__dt_file->f_path);
	fi_offset = (this->__dt_file = F) == NULL ? 0 : this->__dt_file->f_pos;
	fi_fs = !__dt_has_entry[F] ? "<none>" : stringof(this->__dt_entry->d_sb->s_type->name);
	fi_mount = !__dt_has_entry[F] ? "<none>" : __dt_is_unnamed ? "<unknown>" :
	    d_path((struct path *)((uintptr_t)&this->__dt_file->f_path | __DT_PATH_OF_MOUNT));
	fi_oflags = (this->__dt_file = F) == NULL ? 0 : this->__dt_file->f_flags;
};

inline struct file *__dt_file_at[int fd] = (this->__dt_files = curthread->files) != NULL &&
    (uint_t)(this->__dt_fd = fd) < (this->__dt_table = this->__dt_files->fdt)->max_fds ?
    this->__dt_table->fd[this->__dt_fd] : (struct file *)NULL;
inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (__dt_file_at[fd]);

typedef size_t __dt_bytes_t;	/* shown with its unit in pictures */

typedef struct bufinfo {
	int b_flags;		/* B_READ ... */
	__dt_bytes_t b_bcount;	/* bytes */
	caddr_t b_addr;		/* 0: the pages have no address in common */
	uint64_t b_lblkno;	/* 512 bytes each, counted from the start of the disk */
	uint64_t b_blkno;
	__dt_bytes_t b_resid;		/* bytes that an error left undone */
	__dt_bytes_t b_bufsize;
	caddr_t b_iodone;	/* function of the kernel that hears of the end */
	int b_error;		/* errno; at the end only */
	dev_t b_edev;		/* of the partition */
} bufinfo_t;

inline int B_BUSY = 0x1;
inline int B_DONE = 0x2;
inline int B_ERROR = 0x4;
inline int B_PAGEIO = 0x10;	/* pages of a file system's cache */
inline int B_PHYS = 0x20;	/* pages of a program's own */
inline int B_READ = 0x40;
inline int B_WRITE = 0x100;
inline int B_ASYNC = 0x400;	/* nobody waits */

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;	/* of disks that share a major number, which one */
	string dev_name;	/* its driver: "sd", "virtio_blk", "nvme", "zram" */
	string dev_statname;	/* "sda1" */
	string dev_pathname;	/* "/dev/sda1" */
} devinfo_t;

/*
 * The page that a bio begins with, and the one that stands for all pages that were allocated together: the words of the others
 * say which that is, by its address or, in kernels from 7.0 on, by a mask.
 */
inline struct bio_vec *__dt_vec_of[struct bio *b] = &b->bi_io_vec[b->bi_iter.bi_idx];
inline uintptr_t __dt_page_of[struct bio *b] =
    b->bi_io_vec == NULL || b->bi_iter.bi_size == 0 || (b->bi_opf & 0xff) > 1 ? 0 : (uintptr_t)__dt_vec_of[b]->bv_page;
inline uintptr_t __dt_head_of[uintptr_t page] =
    ((this->__dt_word = *(uintptr_t *)(page + offsetof(struct page, lru))) & 1) == 0 ? page :
    this->__dt_word >= 0xffffff0000000000 ? page & this->__dt_word : this->__dt_word - 1;
inline struct folio *__dt_folio_of[struct bio *b] =
    (this->__dt_page = __dt_page_of[b]) == 0 ? (struct folio *)NULL : (struct folio *)__dt_head_of[this->__dt_page];

/* What the page holds: 0, an address_space, or with the lowest bit memory of programs. */
inline uintptr_t __dt_mapping_of[struct bio *b] =
    (this->__dt_folio = __dt_folio_of[b]) == NULL ? 0 : (uintptr_t)this->__dt_folio->mapping;

/*
 * While a file system reads or writes pages of its cache, they are locked or under writeback. Other pages of a file are a
 * program's buffer (O_DIRECT), which says nothing of the file that is read or written.
 */
inline int __dt_is_buffer[struct bio *b] = (this->__dt_mapping = __dt_mapping_of[b]) != 0 &&
    ((this->__dt_mapping & 3) == 1 || ((this->__dt_mapping & 3) == 0 &&
    (*(uint64_t *)(uintptr_t)this->__dt_folio & (1ULL << PG_locked | 1ULL << PG_writeback)) == 0 &&
    (this->__dt_host = ((struct address_space *)this->__dt_mapping)->host) != NULL &&
    (this->__dt_host->i_mode & 0170000) == 0100000));

inline int __dt_page_flags[struct bio *b] = __dt_is_buffer[b] ? B_PHYS :
    this->__dt_mapping != 0 && (this->__dt_mapping & 3) == 0 ? B_PAGEIO : 0;

/* Regular files only. */
inline struct inode *__dt_inode_of[struct bio *b] =
    __dt_is_buffer[b] || this->__dt_mapping == 0 || (this->__dt_mapping & 3) != 0 ? (struct inode *)NULL :
    (this->__dt_host = ((struct address_space *)this->__dt_mapping)->host) == NULL ||
    (this->__dt_host->i_mode & 0170000) != 0100000 ? (struct inode *)NULL : this->__dt_host;

/* What hashes a dentry to its inode is its end, by names that differ from kernel to kernel. */
inline struct dentry *__dt_dentry_of[struct inode *i] = (struct dentry *)((uintptr_t)i->i_dentry.first +
    sizeof (struct callback_head) - sizeof (struct dentry));

/* By the oldest mount of the file system: an inode does not know by which it was reached. */
inline string __dt_inode_path[struct inode *i] =
    d_path((struct path *)((uintptr_t)__dt_dentry_of[i] | __DT_PATH_OF_ENTRY));
inline string __dt_inode_mount[struct inode *i] =
    d_path((struct path *)((uintptr_t)i->i_sb->s_root | __DT_PATH_OF_ENTRY | __DT_PATH_OF_MOUNT));

inline struct block_device *__dt_disk_of[struct request *r] =
    r->bio != NULL && r->bio->bi_bdev != NULL ? r->bio->bi_bdev : r->q->disk->part0;

inline int __dt_bio_flags[struct bio *b] = ((b->bi_opf & 1) != 0 ? B_WRITE : B_READ) |
    ((b->bi_opf & 1) != 0 && (b->bi_opf & (1 << 11)) == 0 ? B_ASYNC : 0) |
    __dt_page_flags[b];

/* blk_status_t, as the kernel tells it to programs. What later kernels number differently is an error like any other. */
inline int __dt_errno_of[int status] = status == 0 ? 0 : status == 1 ? ENOTSUP : status == 2 ? ETIMEDOUT :
    status == 3 ? ENOSPC : status == 4 ? ENOLINK : status == 5 ? EREMOTEIO : status == 6 ? EBADE : status == 7 ? ENODATA :
    status == 8 ? EILSEQ : status == 9 ? ENOMEM : status == 11 ? EREMCHG : status == 12 ? EAGAIN : status == 13 ? EBUSY : EIO;

translator bufinfo_t < struct bio *B > {
	b_flags = B_BUSY | __dt_bio_flags[B] | (B->bi_status != 0 ? B_ERROR : 0);
	b_bcount = B->bi_iter.bi_size;
	b_addr = (caddr_t)0;
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = B->bi_status != 0 ? B->bi_iter.bi_size : 0;
	b_bufsize = B->bi_iter.bi_size;
	b_iodone = (caddr_t)B->bi_end_io;
	b_error = __dt_errno_of[(int)B->bi_status];
	b_edev = B->bi_bdev->bd_dev;
};

/* The first bio of what a probe of io is about. The others of its raw arguments belong to it: sector, bytes, blk_status_t. */
typedef struct __dt_io {
	struct bio *bio;
} __dt_io_t;

inline __dt_io_t *__dt_io_of[struct bio *b] = (__dt_io_t *)b;
inline struct bio *__dt_bio_of[__dt_io_t *i] = (struct bio *)i;
inline int __dt_is_done = probename == "done";

translator bufinfo_t < __dt_io_t *I > {
	b_flags = (__dt_is_done ? B_DONE : B_BUSY) | __dt_bio_flags[__dt_bio_of[I]] | (arg5 != 0 ? B_ERROR : 0);
	b_bcount = arg4;
	b_addr = (caddr_t)0;
	b_lblkno = arg3;
	b_blkno = arg3;
	b_resid = arg5 != 0 ? arg4 : 0;
	b_bufsize = arg4;
	b_iodone = (caddr_t)__dt_bio_of[I]->bi_end_io;
	b_error = __dt_errno_of[(int)arg5];
	b_edev = __dt_bio_of[I]->bi_bdev->bd_dev;
};

/* A request as it stands, for programs that trace the kernel's own functions. */
translator bufinfo_t < struct request *R > {
	b_flags = B_BUSY | (R->bio != NULL ? __dt_bio_flags[R->bio] : (R->cmd_flags & 1) != 0 ? B_WRITE : B_READ);
	b_bcount = R->__data_len;
	b_addr = (caddr_t)0;
	b_lblkno = R->__sector;
	b_blkno = R->__sector;
	b_resid = 0;
	b_bufsize = R->__data_len;
	b_iodone = R->bio != NULL ? (caddr_t)R->bio->bi_end_io : (caddr_t)R->end_io;
	b_error = 0;
	b_edev = __dt_disk_of[R]->bd_dev;
};

/* With data, and of a disk. What discards blocks, or has them cleared, brings no pages. */
inline int __dt_is_io[struct request *r] =
    r->__data_len != 0 && r->bio != NULL && r->bio->bi_bdev != NULL && r->bio->bi_io_vec != NULL;
inline int __dt_has_no_queue[struct bio *b] = b->bi_io_vec != NULL && b->bi_bdev->bd_disk->queue->mq_ops == NULL;

translator devinfo_t < struct block_device *D > {
	dev_major = getmajor(D->bd_dev);
	dev_minor = getminor(D->bd_dev);
	dev_instance = D->bd_disk->minors == 0 ? 0 : D->bd_disk->first_minor / D->bd_disk->minors;
	/* For a device that is no part of the machine, the disk's name without its number. */
	dev_name = D->bd_disk->part0->bd_device.parent == NULL || D->bd_disk->part0->bd_device.parent->driver == NULL ?
	    strtok(stringof(D->bd_disk->disk_name), "-0123456789") :
	    stringof(D->bd_disk->part0->bd_device.parent->driver->name);
	dev_statname = stringof(D->bd_device.kobj.name);
	dev_pathname = strjoin("/dev/", stringof(D->bd_device.kobj.name));
};

translator devinfo_t < struct bio *B > {
	dev_major = xlate <devinfo_t> (B->bi_bdev).dev_major;
	dev_minor = xlate <devinfo_t> (B->bi_bdev).dev_minor;
	dev_instance = xlate <devinfo_t> (B->bi_bdev).dev_instance;
	dev_name = xlate <devinfo_t> (B->bi_bdev).dev_name;
	dev_statname = xlate <devinfo_t> (B->bi_bdev).dev_statname;
	dev_pathname = xlate <devinfo_t> (B->bi_bdev).dev_pathname;
};

translator devinfo_t < struct request *R > {
	dev_major = xlate <devinfo_t> (__dt_disk_of[R]).dev_major;
	dev_minor = xlate <devinfo_t> (__dt_disk_of[R]).dev_minor;
	dev_instance = xlate <devinfo_t> (__dt_disk_of[R]).dev_instance;
	dev_name = xlate <devinfo_t> (__dt_disk_of[R]).dev_name;
	dev_statname = xlate <devinfo_t> (__dt_disk_of[R]).dev_statname;
	dev_pathname = xlate <devinfo_t> (__dt_disk_of[R]).dev_pathname;
};

/* Files of the page cache only: a program's own pages, and a file system's blocks, say nothing of a file. */
translator fileinfo_t < struct bio *B > {
	fi_name = (this->__dt_inode = __dt_inode_of[B]) == NULL ? "<none>" :
	    this->__dt_inode->i_dentry.first == NULL ? "<unknown>" :
	    stringof(__dt_dentry_of[this->__dt_inode]->d_name.name);
	fi_dirname = (this->__dt_inode = __dt_inode_of[B]) == NULL ? "<none>" :
	    this->__dt_inode->i_dentry.first == NULL ? "<unknown>" : dirname(__dt_inode_path[this->__dt_inode]);
	fi_pathname = (this->__dt_inode = __dt_inode_of[B]) == NULL ? "<none>" :
	    this->__dt_inode->i_dentry.first == NULL ? "<unknown>" : __dt_inode_path[this->__dt_inode];
	fi_offset = __dt_inode_of[B] == NULL ? 0 : (loff_t)(this->__dt_folio->index * __dt_page_bytes +
	    (this->__dt_page - (uintptr_t)this->__dt_folio) / sizeof (struct page) * __dt_page_bytes +
	    __dt_vec_of[B]->bv_offset + B->bi_iter.bi_bvec_done);
	fi_fs = (this->__dt_inode = __dt_inode_of[B]) == NULL ? "<none>" :
	    stringof(this->__dt_inode->i_sb->s_type->name);
	fi_mount = (this->__dt_inode = __dt_inode_of[B]) == NULL ? "<none>" : __dt_inode_mount[this->__dt_inode];
	fi_oflags = 0;
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nfs.d - calls that the kernel's NFS server serves: nfsv3opinfo_t, nfsv4opinfo_t, nfsop_t.
 *
 * Types of the server are those of a module, which need not be loaded: so the probes pass values. arg3: the address of the
 * server's end; arg4: the transaction; arg5: the credentials; arg6, arg7: where a file is read or written, and how many
 * bytes; arg8: a status.
 */
struct __dt_nfs_file;
struct __dt_nfs_call;

/* Whose rights a call has. */
typedef struct nfscred {
	uid_t cr_uid;
	gid_t cr_gid;
} nfscred_t;

/* By the oldest mount of the file system. NULL: the server has not looked for the file yet. */
inline string __dt_nfs_path[struct __dt_nfs_file *f] = f == NULL ? "<unknown>" :
    d_path((struct path *)((uintptr_t)f | __DT_PATH_OF_ENTRY));

typedef struct nfsv3opinfo {
	string noi_curpath;	/* of the file; "<unknown>" before the server has looked for it */
	nfscred_t *noi_cred;
	uint64_t noi_xid;	/* transaction */
} nfsv3opinfo_t;

typedef struct nfsv4opinfo {
	uint64_t noi_xid;	/* transaction: the same for all operations of a compound */
	nfscred_t *noi_cred;
	string noi_curpath;	/* of the compound's current file; "<unknown>" before the server has looked for it */
} nfsv4opinfo_t;

translator nfsv3opinfo_t < struct __dt_nfs_file *F > {
	noi_curpath = __dt_nfs_path[F];
	noi_cred = (nfscred_t *)arg5;
	noi_xid = arg4;
};

translator nfsv4opinfo_t < struct __dt_nfs_file *F > {
	noi_xid = arg4;
	noi_cred = (nfscred_t *)arg5;
	noi_curpath = __dt_nfs_path[F];
};

/* The operation itself. offset and count: of reads and writes only; what is not known yet is 0. */
typedef struct nfsop {
	uint64_t offset;
	uint32_t count;		/* bytes: asked for, or when it is done, read or written */
	int status;		/* how another operation ended: 0, NFS3ERR_* or NFS4ERR_* */
} nfsop_t;

translator nfsop_t < struct __dt_nfs_call *C > {
	offset = arg6;
	count = (uint32_t)arg7;
	status = (int)arg8;
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iscsi.d - commands of the kernel's iSCSI target: iscsiinfo_t, scsicmd_t.
 *
 * The probes pass values, as the types are those of modules, which need not be loaded. arg3: the address of the target's end;
 * arg4, arg5: the names of the initiator and of the target; arg6: the unit; arg7: bytes of data; arg8: the status.
 */
struct __dt_iscsi;
struct __dt_scsi;

typedef struct iscsiinfo {
	string ii_target;	/* names, as "iqn.2003-01.org.example:disk" */
	string ii_initiator;
	uint64_t ii_lun;	/* unit */
	uint64_t ii_datalen;	/* bytes of data */
} iscsiinfo_t;

translator iscsiinfo_t < struct __dt_iscsi *I > {
	ii_target = stringof((char *)arg5);
	ii_initiator = stringof((char *)arg4);
	ii_lun = arg6;
	ii_datalen = arg7;
};

typedef struct scsicmd {
	uint64_t ic_len;	/* bytes of the command */
	uint8_t *ic_cdb;	/* the command: ic_cdb[0] is its code */
	int ic_status;		/* in a response: 0 good, 2 check condition, ... */
} scsicmd_t;

/* The first three bits of the code say how long a command is. */
translator scsicmd_t < struct __dt_scsi *C > {
	ic_len = *(uint8_t *)C < 0x20 ? 6 : *(uint8_t *)C < 0x60 ? 10 : *(uint8_t *)C == 0x7f ? *((uint8_t *)C + 7) + 8 :
	    *(uint8_t *)C < 0xa0 ? 16 : 12;
	ic_cdb = (uint8_t *)C;
	ic_status = (int)arg8;
};

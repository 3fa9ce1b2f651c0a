/*
 * The D library of the example module. reqprobe_t is as mod_reqprobes.c has it, and so is reqprobe32_t in an httpd of 32
 * bits; conninfo_t is net.d's.
 */
#pragma D depends_on library net.d
#pragma D depends_on library procfs.d

typedef struct reqprobe {
	uintptr_t method;
	uintptr_t uri;
	uintptr_t agent;
	uintptr_t local;
	uintptr_t remote;
	uint64_t bytes;
	uint32_t status;
} reqprobe_t;

typedef struct reqprobe32 {
	uint32_t method;
	uint32_t uri;
	uint32_t agent;
	uint32_t local;
	uint32_t remote;
	uint32_t bytes[2];
	uint32_t status;
} reqprobe32_t;

typedef struct reqinfo {
	string rq_method;
	string rq_uri;
	string rq_agent;
	uint64_t rq_bytes;	/* sent; 0 in request-start */
	uint32_t rq_status;	/* of the answer; 0 in request-start */
} reqinfo_t;

translator conninfo_t < reqprobe_t *R > {
	ci_local = curpsinfo->pr_dmodel == PR_MODEL_ILP32 ?
	    copyinstr(*(uint32_t *)copyin((uintptr_t)&((reqprobe32_t *)R)->local, sizeof (uint32_t))) :
	    copyinstr(*(uintptr_t *)copyin((uintptr_t)&R->local, sizeof (R->local)));
	ci_remote = curpsinfo->pr_dmodel == PR_MODEL_ILP32 ?
	    copyinstr(*(uint32_t *)copyin((uintptr_t)&((reqprobe32_t *)R)->remote, sizeof (uint32_t))) :
	    copyinstr(*(uintptr_t *)copyin((uintptr_t)&R->remote, sizeof (R->remote)));
	ci_protocol = "ipv4";
};

translator reqinfo_t < reqprobe_t *R > {
	rq_method = curpsinfo->pr_dmodel == PR_MODEL_ILP32 ?
	    copyinstr(*(uint32_t *)copyin((uintptr_t)&((reqprobe32_t *)R)->method, sizeof (uint32_t))) :
	    copyinstr(*(uintptr_t *)copyin((uintptr_t)&R->method, sizeof (R->method)));
	rq_uri = curpsinfo->pr_dmodel == PR_MODEL_ILP32 ?
	    copyinstr(*(uint32_t *)copyin((uintptr_t)&((reqprobe32_t *)R)->uri, sizeof (uint32_t))) :
	    copyinstr(*(uintptr_t *)copyin((uintptr_t)&R->uri, sizeof (R->uri)));
	rq_agent = curpsinfo->pr_dmodel == PR_MODEL_ILP32 ?
	    copyinstr(*(uint32_t *)copyin((uintptr_t)&((reqprobe32_t *)R)->agent, sizeof (uint32_t))) :
	    copyinstr(*(uintptr_t *)copyin((uintptr_t)&R->agent, sizeof (R->agent)));
	rq_bytes = curpsinfo->pr_dmodel == PR_MODEL_ILP32 ?
	    *(uint64_t *)copyin((uintptr_t)&((reqprobe32_t *)R)->bytes[0], sizeof (uint64_t)) :
	    *(uint64_t *)copyin((uintptr_t)&R->bytes, sizeof (R->bytes));
	rq_status = curpsinfo->pr_dmodel == PR_MODEL_ILP32 ?
	    *(uint32_t *)copyin((uintptr_t)&((reqprobe32_t *)R)->status, sizeof (uint32_t)) :
	    *(uint32_t *)copyin((uintptr_t)&R->status, sizeof (R->status));
};

/* The probes of the example job queue, in C++. */
provider jobs {
	probe push(string name, uint64_t priority);
	probe run__start(string name);
	probe run__done(string name, int64_t waited_ns);
};

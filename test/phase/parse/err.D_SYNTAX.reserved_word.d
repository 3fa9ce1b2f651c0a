BEGIN
{
	switch (pid) { default: trace(i); }
}

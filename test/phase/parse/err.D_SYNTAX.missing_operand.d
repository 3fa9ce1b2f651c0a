BEGIN
{
	x = (1 + );
}

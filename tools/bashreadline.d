/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bashreadline.d: show what is typed into interactive shells.
 *
 * One line for each line that bash reads from a terminal, in all shells, those of containers and those that start later too.
 * Lines of scripts are not among them.
 *
 * filters: -p -g
 * column: TIME | when Enter was pressed
 * column: PID | the shell
 * column: LINE | what was typed
 * example: bashreadline.d | what users do
 * example: bashreadline.d --container=web | in the shells of a container
 */
BEGIN
/heading/
{
	printf("%-20s %-7s %s\n", "TIME", "PID", "LINE");
}

pid*:bash:readline:return
/selected && arg1/
{
	printf("%-20Y %-7d %s\n", walltimestamp, pid, copyinstr(arg1));
}

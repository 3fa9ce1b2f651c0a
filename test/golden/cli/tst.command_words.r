begin
<one>
<two  words>
<it's>
<a "b">
<>
begin
<one>
<two  words>
<it's>
<a\b>
<>
dtrace: failed to execute ./words 'one: the command has an unmatched '
7
<x>
-7

echo dt-one 2
echo dt-two 1
exit 1
echo dt-one 2
echo dt-two 1
exit 1

# SPDX-License-Identifier: Apache-2.0
# 8 calls on a queue of messages, 7 on a semaphore.
my $queue = msgget(0, 0600 | 01000) // die "msgget: $!";
msgsnd($queue, pack('l! a*', 1, 'x'), 0) or die "msgsnd: $!" for 1 .. 5;
msgrcv($queue, my $text, 10, 0, 0) or die "msgrcv: $!" for 1 .. 3;
msgctl($queue, 0, 0);
my $semaphore = semget(0, 1, 0600 | 01000) // die "semget: $!";
semop($semaphore, pack('s3', 0, 1, 0)) or die "semop: $!" for 1 .. 7;
semctl($semaphore, 0, 0, 0);

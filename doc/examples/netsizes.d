#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netsizes.d - network packets by device and direction: how many, and their sizes.
 *
 *     netsizes.d                     until Ctrl-C
 *
 * args[0] is the kernel's struct sk_buff. What is sent may be larger than a packet on the wire: the device cuts it up.
 */
#pragma D option quiet

sdt:net::net_dev_queue
{
	@packets[stringof(args[0]->dev->name), "sent"] = count();
	@sizes[stringof(args[0]->dev->name), "sent"] = quantize(args[0]->len);
}

sdt:net::netif_receive_skb
{
	@packets[stringof(args[0]->dev->name), "received"] = count();
	@sizes[stringof(args[0]->dev->name), "received"] = quantize(args[0]->len);
}

END
{
	printf("%-16s %-10s %10s\n", "DEVICE", "DIRECTION", "PACKETS");
	printa("%-16s %-10s %@10d\n", @packets);
	printa(@sizes);
}

# SPDX-License-Identifier: Apache-2.0
"""Connections of known ends, to the first port that was free: five of IPv4 and two of IPv6 that are accepted, three that
are refused. The numbers are told through the name of the thread: a probe cannot be told them before they are known."""
import socket
import sys


def one(family, address, listener):
    client = socket.socket(family, socket.SOCK_STREAM)
    client.connect((address, listener.getsockname()[1]))
    server, _ = listener.accept()
    client.sendall(b"x" * 1000)
    client.shutdown(socket.SHUT_WR)
    while server.recv(4096):
        pass
    server.close()
    client.recv(1)
    client.close()


def listen(family, address, port):
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, port))
    listener.listen(8)
    return listener


port, closed, port6 = (int(p) for p in sys.argv[1:4])
four = listen(socket.AF_INET, "127.0.0.1", port)
six = listen(socket.AF_INET6, "::1", port6)
for _ in range(5):
    one(socket.AF_INET, "127.0.0.1", four)
for _ in range(2):
    one(socket.AF_INET6, "::1", six)
for _ in range(3):
    try:
        socket.create_connection(("127.0.0.1", closed)).close()
    except ConnectionRefusedError:
        pass

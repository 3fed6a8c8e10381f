"""Attempts to reach anything beyond the box through sockets."""

from __future__ import annotations

import errno
import os
import socket
import struct

from outcome import Target, main


def connect(family: int, address: object) -> str:
    with socket.socket(family, socket.SOCK_STREAM) as channel:
        channel.settimeout(1)
        try:
            channel.connect(address)  # type: ignore[arg-type]
        except TimeoutError:
            return f"nobody answered at {address!r}, but the call went out"
        return f"connected to {address!r}"


def kernel_answers(message: bytes) -> int:
    """The error number with which the routing socket answers a request."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as channel:
        channel.settimeout(2)
        channel.bind((0, 0))
        channel.send(message)
        answer = channel.recv(4096)
    return -int(struct.unpack_from("=i", answer, 16)[0])


def request(kind: int, body: bytes) -> bytes:
    return struct.pack("=IHHII", 16 + len(body), kind, 0x5, 1, 0) + body


def answered(code: int) -> object:
    if code:
        raise OSError(code, os.strerror(code))
    return "accepted"


def connects_to_a_server_of_the_host(target: Target) -> object:
    return connect(socket.AF_INET, ("127.0.0.1", int(target["tcp"])))


def connects_by_the_other_protocol(target: Target) -> object:
    return connect(socket.AF_INET6, ("::1", int(target["tcp"])))


def connects_to_the_address_of_the_host(target: Target) -> object:
    return connect(socket.AF_INET, (target["address"], int(target["tcp"])))


def connects_to_the_outside(target: Target) -> object:
    return connect(socket.AF_INET, ("192.0.2.1", 80))


def connects_to_the_metadata_service(target: Target) -> object:
    return connect(socket.AF_INET, ("169.254.169.254", 80))


def connects_to_the_outside_by_the_other_protocol(target: Target) -> object:
    return connect(socket.AF_INET6, ("2001:db8::1", 80))


def sends_a_datagram_to_the_outside(target: Target) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        return channel.sendto(b"out", ("192.0.2.1", 53))


def sends_a_datagram_to_the_host(target: Target) -> object:
    """Its own loopback takes the datagram; whether the host got it, the host knows."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        channel.sendto(target["marker"].encode(), ("127.0.0.1", int(target["udp"])))
    return None


def broadcasts(target: Target) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        return channel.sendto(b"out", ("255.255.255.255", 9))


def asks_for_a_name(target: Target) -> object:
    return socket.getaddrinfo("example.org", 80)


def connects_to_an_abstract_socket(target: Target) -> object:
    return connect(socket.AF_UNIX, "\0" + target["abstract"])


def connects_to_a_socket_file(target: Target) -> object:
    return connect(socket.AF_UNIX, target["socket"])


def connects_through_the_hypervisor(target: Target) -> object:
    """Local address only; this family knows no network namespace on most kernels."""
    return connect(socket.AF_VSOCK, (1, int(target["vsock"])))


def finds_other_interfaces(target: Target) -> object:
    return [name for _, name in socket.if_nameindex() if name != "lo"]


def opens_a_raw_socket(target: Target) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as channel:
        return channel.fileno()


def opens_a_packet_socket(target: Target) -> object:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as channel:
        return channel.fileno()


def takes_an_interface_down(target: Target) -> object:
    body = struct.pack("=BxHiII", 0, 0, 1, 0, 1)
    return answered(kernel_answers(request(16, body)))


def adds_an_address(target: Target) -> object:
    body = struct.pack("=BBBBi", socket.AF_INET, 24, 0, 0, 1)
    body += struct.pack("=HH4s", 8, 2, socket.inet_aton("198.51.100.1"))
    return answered(kernel_answers(request(20, body)))


def adds_a_route(target: Target) -> object:
    body = struct.pack("=BBBBBBBBI", socket.AF_INET, 0, 0, 0, 254, 4, 0, 1, 0)
    body += struct.pack("=HHi", 8, 4, 1)
    return answered(kernel_answers(request(24, body)))


def listens_for_the_host(target: Target) -> object:
    """Binds a port below 1024, which takes a capability that nothing in the box has."""
    with open("/proc/sys/net/ipv4/ip_unprivileged_port_start") as file:
        limit = int(file.read())
    if limit == 0:
        raise OSError(errno.EACCES, "every port is free to all on this machine")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as channel:
        channel.bind(("0.0.0.0", limit - 1))
        return channel.getsockname()


if __name__ == "__main__":
    main(globals())

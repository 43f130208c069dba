#!/usr/bin/python3
"""Asks a service over a plain REQ socket: request.py SERVICE ROUTE [JSON]

Prints the body of the reply. Exit codes: 0 answered, 1 refused (the problem is printed), 2 no answer in time,
64 wrong usage.
"""

import argparse
import json
import os
import sys
import uuid

try:
    import zmq
except ImportError:
    sys.exit("This needs ZeroMQ for Python: apt-get install python3-zmq")

FRAME_BYTES_MAX = 256 * 1024


def run_directory():
    """Where the sockets are: SCREENTIME_RUN, else the runtime directory of the session, else /tmp."""
    if os.environ.get("SCREENTIME_RUN"):
        return os.environ["SCREENTIME_RUN"]
    if os.environ.get("XDG_RUNTIME_DIR", "").startswith("/"):
        return os.environ["XDG_RUNTIME_DIR"] + "/screentime"
    return f"/tmp/screentime-{os.geteuid()}"


def request(context, service, route, body, timeout_ms=5000, key=None):
    """The header and the body of the reply; TimeoutError when none came.

    A REQ socket that got no answer cannot be used again, hence one for each request.
    """
    header = {"v": 1, "id": str(uuid.uuid4()), "route": route, "timeout_ms": timeout_ms}
    if key:
        header["idempotency_key"] = key
    with context.socket(zmq.REQ) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        # Beyond 1 MiB a service closes the connection without a word, and with no service there is none either:
        # without a receive timeout this would wait for ever.
        socket.setsockopt(zmq.RCVTIMEO, timeout_ms + 500)
        socket.setsockopt(zmq.SNDTIMEO, timeout_ms)
        socket.connect(f"ipc://{run_directory()}/{service}/rpc")
        try:
            socket.send_multipart([json.dumps(header).encode(), body])
            frames = socket.recv_multipart()
        except zmq.Again:
            raise TimeoutError(f"{service} did not answer within {timeout_ms} ms; is it running?") from None
    return json.loads(frames[0]), json.loads(frames[1])


def main():
    parser = argparse.ArgumentParser(description="Asks a service and prints the body of its reply.")
    parser.add_argument("service", help="such as activity-center")
    parser.add_argument("route", help="such as usage.now; bus.describe tells the routes there are")
    parser.add_argument("json", nargs="?", default="{}", help="the body, {} when absent")
    parser.add_argument("--timeout-ms", type=int, default=5000)
    parser.add_argument("--key", help="an idempotency key, which makes a repeat harmless")
    try:
        arguments = parser.parse_args()
    except SystemExit as end:
        return 64 if end.code else 0
    try:
        json.loads(arguments.json)
    except ValueError as error:
        print(f"request.py: the body is no JSON: {error}", file=sys.stderr)
        return 64
    body = arguments.json.encode()
    if len(body) > FRAME_BYTES_MAX:
        print(f"request.py: the body is larger than {FRAME_BYTES_MAX} bytes", file=sys.stderr)
        return 64
    context = zmq.Context()
    try:
        header, reply = request(
            context, arguments.service, arguments.route, body, arguments.timeout_ms, arguments.key
        )
    except TimeoutError as error:
        print(f"request.py: {error}", file=sys.stderr)
        return 2
    finally:
        context.term()
    print(json.dumps(reply, ensure_ascii=False))
    return 0 if header["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())

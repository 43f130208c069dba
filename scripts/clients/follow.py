#!/usr/bin/python3
"""Follows a stream and misses nothing: follow.py SERVICE STREAM [--cursor FILE] [--count N]

Prints one line of JSON per event, each once and in order. What a SUB socket hears is only a doorbell; what it
missed is read from the publisher's log (events.since).
"""

import argparse
import json
import os
import sys
import time
import uuid

try:
    import zmq
except ImportError:
    sys.exit("This needs ZeroMQ for Python: apt-get install python3-zmq")

from request import request, run_directory

# Services say every five seconds how far they are; after a longer silence one asks.
SILENCE_MS = 6000


class Rebuild(Exception):
    """The log is another one, or does not reach back to where this follower stands."""


class Follower:
    def __init__(self, context, service, stream, cursor_path):
        self.context, self.service, self.stream, self.cursor_path = context, service, stream, cursor_path
        self.epoch, self.sequence, self.id = None, 0, None
        if cursor_path and os.path.exists(cursor_path):
            with open(cursor_path, encoding="utf-8") as file:
                self.epoch, self.sequence, self.id = json.load(file)
        self.marker = f"~sync.{uuid.uuid4().hex}".encode()

    def take(self, header, body):
        """True for the next event, False for one seen before; LookupError for any other."""
        sequence, place = int(header["sequence"]), (header["epoch"], header.get("previous", self.id))
        if sequence <= self.sequence and header["epoch"] == self.epoch:
            return False
        if sequence != self.sequence + 1 or place != (self.epoch or header["epoch"], self.id):
            raise LookupError
        print(json.dumps({"header": header, "body": body}, ensure_ascii=False), flush=True)
        self.epoch, self.sequence, self.id = header["epoch"], sequence, header["id"]
        if self.cursor_path:
            # Printed first: a script that is killed in between sees the last event again, and never loses one.
            with open(self.cursor_path + ".new", "w", encoding="utf-8") as file:
                json.dump([self.epoch, self.sequence, self.id], file)
            os.replace(self.cursor_path + ".new", self.cursor_path)
        return True

    def catch_up(self):
        """Reads the log from where this follower stands to its end; yields after each event."""
        while True:
            place = {"stream": self.stream, "sequence": self.sequence}
            if self.epoch:
                place.update(epoch=self.epoch, id=self.id)
            try:
                body = json.dumps(place).encode()
                header, page = request(self.context, self.service, "events.since", body, timeout_ms=1000)
            except TimeoutError:
                continue
            if not header["ok"]:
                if page["code"] in ("epoch.changed", "cursor.too_old"):
                    raise Rebuild(page["message"])
                time.sleep(0.2)
                continue
            for event in page["events"]:
                if self.take(event["header"], event["body"]):
                    yield
            if not page.get("next"):
                return

    def events(self):
        """Yields after each event, for ever."""
        with self.context.socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.LINGER, 0)
            # The marker last: its answer proves that the others have arrived. A reconnect sends them all again, and
            # so its answer comes again, which is when to look for what was missed.
            for topic in (f"{self.stream}.".encode(), f"~head.{self.stream}".encode(), self.marker):
                socket.subscribe(topic)
            socket.connect(f"ipc://{run_directory()}/{self.service}/events")
            while True:
                heard = socket.poll(SILENCE_MS)
                topic, header, body = socket.recv_multipart() if heard else (self.marker, b"", b"")
                if topic == self.marker:
                    yield from self.catch_up()
                    continue
                header, body = json.loads(header), json.loads(body)
                try:
                    if topic.startswith(b"~head."):
                        # Another place than ours: something was missed, or the log is another one.
                        if (body["sequence"], body.get("id")) != (self.sequence, self.id):
                            raise LookupError
                    elif self.take(header, body):
                        yield
                except LookupError:
                    yield from self.catch_up()


def main():
    parser = argparse.ArgumentParser(description="Prints the events of a stream and misses none.")
    parser.add_argument("service", help="such as activity-center")
    parser.add_argument("stream", help="such as usage")
    parser.add_argument("--cursor", help="a file that keeps the place between two runs")
    parser.add_argument("--count", type=int, help="end after so many events")
    arguments = parser.parse_args()
    follower = Follower(zmq.Context(), arguments.service, arguments.stream, arguments.cursor)
    try:
        for count, _ in enumerate(follower.events(), start=1):
            if count == arguments.count:
                return 0
    except Rebuild as error:
        print(f"follow.py: {error} Delete the cursor file to start again.", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())

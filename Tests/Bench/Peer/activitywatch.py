#!/usr/bin/env python3
"""The same year, put to ActivityWatch's server on loopback: activitywatch.py EVENTS FOLDER SPANS PROGRAM MEMBER

EVENTS holds one JSON object a line: {"from": ms, "to": ms, "app": name or null}. FOLDER is the server's own. SPANS is a JSON
list of [name, from, to]. PROGRAM is our command, which brings all of it in from the server for MEMBER. Prints one JSON object:
seconds to take all events, the sums of each span, how long each took, and how our sums by day and app differ after the import.
"""
import datetime, json, os, socket, statistics, subprocess, sys, time
import urllib.error
import urllib.request
import zoneinfo

EVENTS, FOLDER, SPANS = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
PROGRAM, MEMBER = sys.argv[4], sys.argv[5]
ZONE = "Europe/Berlin"
PER_REQUEST = 5_000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def iso(ms):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms / 1000)) + f".{ms % 1000:03}+00:00"


class Server:
    def __init__(self):
        self.base = f"http://127.0.0.1:{free_port()}/api/0"
        home = {name: f"{FOLDER}/{name}" for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME")}
        for path in home.values():
            os.makedirs(path, exist_ok=True)
        program = os.path.join(os.path.dirname(sys.executable), "aw-server")
        port = self.base.split(":")[2].split("/")[0]
        self.log = open(f"{FOLDER}/log", "wb")
        self.process = subprocess.Popen(
            [program, "--host", "127.0.0.1", "--port", port, "--storage", "peewee"],
            env={**os.environ, **home}, stdout=self.log, stderr=self.log,
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                self.call("/info")
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise SystemExit("aw-server did not start: " + open(f"{FOLDER}/log").read()[-2000:])
                time.sleep(0.1)

    def call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=900) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path}: {error.code} {error.read().decode(errors='replace')[:2000]}")
        return json.loads(text) if text.strip() else None

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def buckets(lines):
    """What its own watchers write: a window for every change of focus, and whether somebody is there."""
    window, afk = [], []
    for line in lines:
        event = json.loads(line)
        span = {"timestamp": iso(event["from"]), "duration": (event["to"] - event["from"]) / 1000}
        if event["app"] is not None:
            window.append({**span, "data": {"app": event["app"], "title": event["app"]}})
        status = "afk" if event["app"] is None else "not-afk"
        if afk and afk[-1]["data"]["status"] == status:
            afk[-1]["duration"] += span["duration"]
        else:
            afk.append({**span, "data": {"status": status}})
    return {"window": window, "afk": afk}


def insert(server, kind, events):
    name = f"aw-watcher-{kind}_bench"
    types = {"window": "currentwindow", "afk": "afkstatus"}
    server.call(f"/buckets/{name}", {"client": f"aw-watcher-{kind}", "hostname": "bench", "type": types[kind]})
    for start in range(0, len(events), PER_REQUEST):
        server.call(f"/buckets/{name}/events", events[start:start + PER_REQUEST])


# As its own page of activity asks it: use by app, while somebody was there.
QUERY = [
    'events = flood(query_bucket("aw-watcher-window_bench"));',
    'presence = flood(query_bucket("aw-watcher-afk_bench"));',
    'there = filter_keyvals(presence, "status", ["not-afk"]);',
    "events = filter_period_intersect(events, there);",
    'events = merge_events_by_keys(events, ["app"]);',
    "RETURN = sort_by_duration(events);",
]


def ours(*words):
    answer = subprocess.run([PROGRAM, *words], env={**os.environ, "TZ": ZONE}, capture_output=True, text=True, timeout=3000)
    if answer.returncode:
        raise SystemExit(f"{words}: {answer.stdout[-2000:]} {answer.stderr[-2000:]}")
    return json.loads(answer.stdout)


def imported(server, events):
    """What our command brings in, against the server's own sums of each day from midnight."""
    base = server.base.removesuffix("/api/0")
    start = time.monotonic()
    brought = ours("import", "activitywatch", "--server", base, "--member", MEMBER, "--json")
    seconds = time.monotonic() - start
    zone = zoneinfo.ZoneInfo(ZONE)
    first = datetime.datetime.fromtimestamp(events[0]["from"] / 1000, zone).date()
    last = datetime.datetime.fromtimestamp((events[-1]["to"] - 1) / 1000, zone).date()
    days = [first + datetime.timedelta(n) for n in range((last - first).days + 1)]
    midnight = [datetime.datetime.combine(day, datetime.time(), zone) for day in days + [last + datetime.timedelta(1)]]
    periods = [f"{one.isoformat()}/{two.isoformat()}" for one, two in zip(midnight, midnight[1:])]
    theirs = {}
    for day, rows in zip(days, server.call("/query/", {"query": QUERY, "timeperiods": periods})):
        theirs |= {(day.isoformat(), row["data"]["app"]): row["duration"] * 1000 for row in rows}
    found = {}
    for start_day in range(0, len(days), 60):
        part = [days[start_day], days[min(start_day + 59, len(days) - 1)] + datetime.timedelta(1)]
        report = ours("report", "--from", part[0].isoformat(), "--to", part[1].isoformat(), "--segment", "day", "--by", "app",
                      "--ids", "--member", MEMBER, "--device", "activitywatch-bench", "--json")
        for segment in report["report"]["segments"]:
            found |= {(segment["day"], row["app"]): row["used_ms"] for row in segment["rows"]}
    both = set(theirs) | set(found)
    largest = max(abs(theirs.get(key, 0) - found.get(key, 0)) for key in both)
    return {"import_s": seconds, "import_rows": brought["added"], "sums": len(both), "largest_ms": largest}


def main():
    with open(EVENTS) as lines:
        lines = list(lines)
    made = buckets(lines)
    server = Server()
    try:
        start = time.monotonic()
        for kind, events in made.items():
            insert(server, kind, events)
        result = {"insert_s": time.monotonic() - start, "spans": {}}
        for name, begin, end in SPANS:
            times = []
            body = {"query": QUERY, "timeperiods": [f"{iso(begin)}/{iso(end)}"]}
            while not times or (sum(times) < 5 and len(times) < 10):
                start = time.monotonic()
                rows = server.call("/query/", body)[0]
                times.append(time.monotonic() - start)
            sums = {row["data"]["app"]: round(row["duration"] * 1000) for row in rows}
            result["spans"][name] = {"p50_s": statistics.median(times), "asked": len(times), "sums": sums}
        result |= imported(server, [json.loads(lines[0]), json.loads(lines[-1])])
        result["bytes"] = sum(
            os.path.getsize(os.path.join(folder, file))
            for folder, _, files in os.walk(f"{FOLDER}/XDG_DATA_HOME") for file in files
        )
        print(json.dumps(result))
    finally:
        server.end()


main()

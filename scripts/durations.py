#!/usr/bin/env python3
"""Prints how long tests and suites ran, the longest first: seconds, "test" or "suite", identifier.

    scripts/durations.py FILE-WIDTH.events…

The files are those that a test program wrote for --event-stream-output-path, with its parallelization width. The program says
when it queued a test, but only for a test with arguments when a case began. So this script plays the queue again: when a test ends,
the one that has waited longest begins. The durations of a suite and of a test with arguments are sums.
"""

import collections
import json
import re
import sys

seconds = collections.Counter()
for argument in sys.argv[1:]:
    width, path = int(re.search(r"-(\d+)\.events$", argument)[1]), argument
    with open(path, encoding="utf-8") as lines:
        payloads = [json.loads(line)["payload"] for line in lines]
    single = {each["id"] for each in payloads if each["kind"] == "function" and not each.get("isParameterized")}
    queue, begun, running = collections.deque(), {}, 0
    for payload in payloads:
        kind, test = payload["kind"], payload.get("testID")
        now = payload["instant"]["absolute"] if "instant" in payload else 0
        if kind == "testStarted" and test in single:
            queue.append(test)
        elif kind == "testCaseStarted":
            running += 1
            seconds[test] -= now
        elif kind == "testCaseEnded":
            running -= 1
            seconds[test] += now
        elif kind == "testEnded" and test in single:
            if test in begun:
                running -= 1
                seconds[test] += now - begun[test]
            else:
                queue.remove(test)
        while queue and running < width:
            running += 1
            begun[queue.popleft()] = now

suites = collections.Counter()
for test, duration in seconds.items():
    suites[test.rsplit("/", 2)[0]] += duration
rows = [(duration, "test", test) for test, duration in seconds.items()]
rows += [(duration, "suite", suite) for suite, duration in suites.items()]
for duration, kind, name in sorted(rows, reverse=True):
    print(f"{duration:.2f}\t{kind}\t{name}")

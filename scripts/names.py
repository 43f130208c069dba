#!/usr/bin/env python3
"""The table of Apple's names in Services/developer-kit/Frameworks/README.md.

It lists the names that work, that compile, that report that they do nothing, and that are missing.

names.py           writes the table
names.py --check   ends with an error where the table is another one now

Tests/Golden/Names.txt says what to look for. What is there comes from the modules that were built, and what does nothing from their sources.
"""
import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "Services/developer-kit/Frameworks/README.md"
BEGIN, END = "<!-- names -->", "<!-- end of names -->"
# Where a module's names are declared: what a person imports may only pass on others.
MODULES = {
    "FamilyControls": ["FamilyControls", "_DeviceActivity_SwiftUI"],
    "ManagedSettings": ["ManagedSettings"],
    "ManagedSettingsUI": ["ManagedSettingsUI"],
    "DeviceActivity": ["DeviceActivity", "_DeviceActivity_SwiftUI"],
    "SwiftUI": ["SwiftUICore"],
    "Charts": ["Charts"],
    "UIKit": ["UIKit", "SwiftUICore"],
    "UserNotifications": ["UserNotifications"],
    "Foundation": ["STFoundationTypes", "STFoundationGaps"],
    "Combine": ["Combine", "STFoundationGaps"],
    "os": ["os", "OSLog"],
    "Security": ["Security"],
    "SwiftData": ["SwiftData"],
    "WidgetKit": ["WidgetKit"],
}
TARGET = f"{platform.machine()}-unknown-linux-gnu"


def wanted():
    """The modules, each with its types and their members."""
    modules = {}
    for line in (ROOT / "Tests/Golden/Names.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, colon, members = line.partition(":")
        if not colon:
            types = modules.setdefault(line, {})
        else:
            types[name] = members.split()
    return modules


def flags(built):
    """What the compiler needs to read the modules that were built."""
    words = ["-I", str(built / "Modules")]
    for folder in sorted((ROOT / "Shared/Base/C").glob("*/")) + sorted((ROOT / "Shared/Base/C").glob("*/include")):
        words += ["-I", str(folder), "-Xcc", f"-I{folder}"]
    for mapped in sorted(built.glob("STC*.build/*.modulemap")):
        words += ["-Xcc", f"-fmodule-map-file={mapped}"]
    return words


def symbols(module, words, folder, parents):
    """The public names of a module, as (type, member); a name by itself has no type. `parents` learns what types descend from."""
    subprocess.run(
        ["swift", "symbolgraph-extract", "-skip-synthesized-members", "-minimum-access-level", "public",
         "-module-name", module, "-target", TARGET, "-output-dir", folder] + words,
        check=True, capture_output=True, timeout=300)
    found = set()
    for graph in Path(folder).glob(f"{module}*.symbols.json"):
        if graph.name.split(".")[0].split("@")[0] != module:
            continue
        content = json.loads(graph.read_text())
        names = {}
        for symbol in content["symbols"]:
            path = [part.split("(")[0] for part in symbol["pathComponents"]]
            names[symbol["identifier"]["precise"]] = ".".join(path)
            found.add((".".join(path[:-1]), path[-1]))
        for link in content["relationships"]:
            if link["kind"] in ("inheritsFrom", "conformsTo") and link["source"] in names:
                parent = names.get(link["target"]) or link.get("targetFallback", "").rsplit(".", 1)[-1]
                parents.setdefault(names[link["source"]], set()).add(parent)
    return found


def idle():
    """The functions that give a view back as it was, and the calls that say that they do nothing."""
    silent, doing, said = set(), set(), set()
    for file in (ROOT / "Services/developer-kit/Frameworks").rglob("*.swift"):
        text = file.read_text()
        said |= {name.rstrip(".") for name in re.findall(r'withoutEffect\("([\w.]+)', text)}
        for name, body in re.findall(r"(?s)public func (\w+)\b(?:(?!public func).)*?\{([^{}]*)\}", text):
            does = body.strip() not in ("", "self", "completionHandler?(false)", "try body()")
            (doing if does else silent).add(name)
    return silent - doing, said


# Whose functions are looked at for one that does nothing.
IDLE = ("View", "ChartContent", "Shape", "Text", "Image", "NSExtensionContext", "UIFeedbackGenerator")


def has(owner, member, names, parents, depth=0):
    """Whether a type has the member, by its own lines, its ancestors or its protocols."""
    if any(b == member and (a == owner or a.endswith(f".{owner}")) for a, b in names):
        return True
    above = set().union(*[parents[name] for name in parents if name == owner or name.endswith(f".{owner}")])
    # The compiler makes these.
    if member == "rawValue" and "RawRepresentable" in above or member == "init" and "NSObject" in above:
        return True
    return depth < 8 and any(has(parent, member, names, parents, depth + 1) for parent in above if parent)


def status(owner, member, names, parents, silent, said):
    """The number of the column."""
    if owner == "-":
        return 3 if ("", member) not in names else 1 if member in silent else 0
    if not has(owner, member, names, parents):
        return 3
    if f"{owner}.{member}" in said or owner in said:
        return 2
    return 1 if owner in IDLE and member in silent else 0


def table(built):
    silent, said = idle()
    words = flags(built)
    lines = ["| | works | compiles, without effect | says that it does nothing | missing |", "|---|---|---|---|---|"]
    counts = [0, 0, 0, 0]
    known, parents = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for module, types in wanted().items():
            names = set()
            for part in MODULES[module]:
                if part not in known:
                    known[part] = symbols(part, words, folder, parents)
                names |= known[part]
            for owner, members in types.items():
                columns = [[], [], [], []]
                for member in members:
                    columns[status(owner, member, names, parents, silent, said)].append(member)
                if not members:
                    columns[0 if any(b == owner for _, b in names) else 3].append("all of it")
                for index, column in enumerate(columns):
                    counts[index] += len(column)
                title = module if owner == "-" else f"{module}: `{owner}`"
                lines.append(f"| {title} | " + " | ".join(", ".join(column) for column in columns) + " |")
    summary = (f"Of {sum(counts)} names {counts[0]} work, {counts[1]} compile without effect on a page, "
               f"{counts[2]} say that they do nothing, {counts[3]} are missing. `scripts/names.py` makes this table.")
    return "\n".join([BEGIN, summary, ""] + lines + [END])


def main():
    built = ROOT / ".build/debug"
    if not (built / "Modules").is_dir():
        sys.exit("The modules are not built. Run scripts/test.sh, or swift build, first.")
    text = README.read_text()
    before, _, rest = text.partition(BEGIN)
    now = before + table(built) + rest.partition(END)[2]
    if "--check" in sys.argv[1:]:
        if now != text:
            sys.exit("The table of names in Services/developer-kit/Frameworks/README.md is out of date. Run scripts/names.py.")
        print("The table of names is that of the modules that were built.")
    else:
        README.write_text(now)


main()

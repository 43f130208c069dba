"""Reads HTML documents as a browser does, but forgives nothing, and checks what each of ours promises."""
import base64
import hashlib
import re
import sys
import xml.etree.ElementTree as tree

import html5lib

TAG = "{http://www.w3.org/1999/xhtml}"


def problems(text):
    parser = html5lib.HTMLParser(strict=False)
    document = parser.parse(text)
    for place, error, details in parser.errors:
        yield f"{place} {error} {details}"
    elements = list(document.iter())
    ids = [element.get("id") for element in elements if element.get("id")]
    if len(ids) != len(set(ids)):
        yield "an id is there twice"
    for element in elements:
        name = element.tag.split("}")[-1]
        for attribute in ("src", "href", "action", "poster", "data", "srcset"):
            value = element.get(attribute)
            if value and not value.startswith(("data:image/png;base64,", "data:image/jpeg;base64,")):
                yield f"{name} {attribute} is {value[:60]}"
        if any(key.startswith("on") for key in element.keys()):
            yield f"{name} has a handler"
        if name in ("iframe", "object", "embed", "link", "base", "form", "foreignObject"):
            yield f"a {name}"
        if name == "label" and element.get("for") not in ids:
            yield f"a label for {element.get('for')}"
        style = element.get("style") or (element.text or "" if name == "style" else "")
        for address in re.findall(r"url\(([^)]*)\)|@import", style):
            if not address.startswith("#"):
                yield f"{name} asks for {address}"
        for reference in re.findall(r"url\(#([^)]*)\)", style + (element.get("mask") or "")):
            if reference not in ids:
                yield f"{name} refers to {reference}"
    scripts = [element.text or "" for element in elements if element.tag == TAG + "script"]
    policy = next(
        (element.get("content") for element in elements if element.get("http-equiv") == "Content-Security-Policy"), "")
    if "default-src 'none'" not in policy:
        yield "no policy"
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        if f"'sha256-{digest}'" not in policy:
            yield f"the script is sha256-{digest}, which the policy does not allow"
    if len(scripts) > 1:
        yield f"{len(scripts)} scripts"
    if not document.get("lang"):
        yield "no language"
    # What is within SVG has to be XML too.
    for drawing in re.findall(r"<svg.*?</svg>", text, re.S):
        try:
            tree.fromstring(drawing)
        except tree.ParseError as error:
            yield f"SVG: {error} in {drawing[:120]}"


found = 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8", newline="") as file:
        for problem in problems(file.read()):
            found += 1
            print(f"{path.rsplit('/', 1)[-1]}: {problem}")
sys.exit(1 if found else 0)

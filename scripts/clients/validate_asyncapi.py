#!/usr/bin/env python3
"""Checks an AsyncAPI 3.0 document: against the models of faststream (pip install faststream), and against the
rules of the specification that those models are too lenient to enforce.

    validate_asyncapi.py Shared/Contracts/asyncapi.json
"""
import json
import re
import sys

from faststream.specification.asyncapi.v3_0_0.schema import ApplicationSchema

# The fixed fields of the specification's objects, required ones first.
FIELDS = {
    "document": ({"asyncapi", "info"}, {"id", "servers", "defaultContentType", "channels", "operations", "components"}),
    "info": ({"title", "version"}, {"description", "termsOfService", "contact", "license", "tags", "externalDocs"}),
    "server": (
        {"host", "protocol"},
        {"protocolVersion", "pathname", "description", "title", "summary", "variables", "security", "tags",
         "externalDocs", "bindings"},
    ),
    "variable": (set(), {"enum", "default", "description", "examples"}),
    "channel": (
        set(),
        {"address", "messages", "title", "summary", "description", "servers", "parameters", "tags", "externalDocs",
         "bindings"},
    ),
    "parameter": (set(), {"enum", "default", "description", "examples", "location"}),
    "operation": (
        {"action", "channel"},
        {"title", "summary", "description", "security", "tags", "externalDocs", "bindings", "traits", "messages",
         "reply"},
    ),
    "reply": (set(), {"address", "channel", "messages"}),
    "message": (
        set(),
        {"headers", "payload", "correlationId", "contentType", "name", "title", "summary", "description", "tags",
         "externalDocs", "bindings", "examples", "traits"},
    ),
    "correlation": ({"location"}, {"description"}),
}
KEY = re.compile(r"^[\w.\-]+$")
problems = []


def check(kind, where, value):
    required, optional = FIELDS[kind]
    fields = {name for name in value if not name.startswith("x-")}
    for name in sorted(required - fields):
        problems.append(f"{where}: {name} is missing")
    for name in sorted(fields - required - optional):
        problems.append(f"{where}: a {kind} has no field {name}")


def target(document, reference):
    value = document
    for part in reference.removeprefix("#/").split("/"):
        value = value[part.replace("~1", "/").replace("~0", "~")]
    return value


def check_references(document, value, where="#"):
    if isinstance(value, dict):
        if "$ref" in value:
            try:
                target(document, value["$ref"])
            except (KeyError, TypeError):
                problems.append(f"{where}: {value['$ref']} leads nowhere")
        for name, item in value.items():
            check_references(document, item, f"{where}/{name}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            check_references(document, item, f"{where}/{index}")


def check_messages(where, channel, messages):
    prefix = channel["$ref"] + "/messages/"
    for message in messages:
        if not message["$ref"].startswith(prefix):
            problems.append(f"{where}: {message['$ref']} is not a message of its channel")


def main(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    ApplicationSchema.model_validate(document)
    check("document", "#", document)
    check("info", "info", document["info"])
    if not re.match(r"^3\.0\.\d+$", document["asyncapi"]):
        problems.append("asyncapi: not a version 3.0 document")
    for section in ("servers", "channels", "operations"):
        for name in document[section]:
            if not KEY.match(name):
                problems.append(f"{section}/{name}: not a valid key")
    for name, server in document["servers"].items():
        check("server", name, server)
        for variable in server.get("variables", {}).values():
            check("variable", name, variable)
        for word in re.findall(r"{(\w+)}", server["host"] + server.get("pathname", "")):
            if word not in server.get("variables", {}):
                problems.append(f"{name}: the variable {word} is not explained")
    for name, channel in document["channels"].items():
        check("channel", name, channel)
        for word in re.findall(r"{(\w+)}", channel.get("address") or ""):
            if word not in channel.get("parameters", {}):
                problems.append(f"{name}: the parameter {word} is not explained")
        for parameter in channel.get("parameters", {}).values():
            check("parameter", name, parameter)
        for server in channel.get("servers", []):
            if not server["$ref"].startswith("#/servers/"):
                problems.append(f"{name}: {server['$ref']} is not a server")
    for name, operation in document["operations"].items():
        check("operation", name, operation)
        if operation["action"] not in ("send", "receive"):
            problems.append(f"{name}: the action {operation['action']} is not known")
        check_messages(name, operation["channel"], operation.get("messages", []))
        if "reply" in operation:
            check("reply", name, operation["reply"])
            check_messages(name, operation["reply"]["channel"], operation["reply"].get("messages", []))
    for name, message in document["components"]["messages"].items():
        check("message", name, message)
        if "correlationId" in message:
            check("correlation", name, message["correlationId"])
            if not re.match(r"^\$message\.(header|payload)#", message["correlationId"]["location"]):
                problems.append(f"{name}: the correlation id has no valid location")
    check_references(document, document)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{path}: {len(document['channels'])} channels, {len(document['operations'])} operations,"
          f" {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

import Foundation
import STContracts
import STSimulation
import Testing

@Suite("The schema of scenarios")
struct ScenarioSchemaTests {
    private let checker = SchemaChecker(ScenarioSchema.value)

    private func value(_ text: String) throws -> JSONValue { try JSONLocations.value(Array(text.utf8)) }

    @Test("The schema of scenarios matches the file in the source tree")
    func file() throws {
        #expect(try value(try ScenarioFiles.text("scenario.schema.json")) == ScenarioSchema.value)
    }

    @Test("Every scenario in the source tree conforms to the schema", arguments: ScenarioFiles.names)
    func files(_ name: String) throws {
        #expect(checker.complaints(try value(try ScenarioFiles.text(name))) == [])
    }

    @Test("The example scenario conforms to the schema")
    func example() throws {
        #expect(checker.complaints(try value(ScenarioExample.text)) == [])
    }

    @Test(
        "The schema rejects the same formal errors as the scenario reader",
        arguments: BadScenarios.formal
    )
    func refusals(_ bad: BadScenarios.Case) throws {
        #expect(!checker.complaints(try value(bad.text)).isEmpty, "\(bad.text)")
    }
}

/// The part of JSON Schema that the schema of scenarios uses.
struct SchemaChecker {
    private let root: JSONValue

    init(_ root: JSONValue) { self.root = root }

    func complaints(_ value: JSONValue) -> [String] { check(value, schema: root, path: "") }

    private func check(_ value: JSONValue, schema: JSONValue, path: String) -> [String] {
        var found: [String] = []
        if let name = schema["$ref"]?.string {
            let definition = root["$defs"]?[String(name.dropFirst("#/$defs/".count))] ?? .null
            found += check(value, schema: definition, path: path)
        }
        if let type = schema["type"]?.string, !Self.isOf(type, value) {
            found.append("\(path) is no \(type)")
        }
        if case .array(let allowed)? = schema["enum"], !allowed.contains(value) {
            found.append("\(path) is none of them")
        }
        if case .string(let text) = value {
            if let pattern = schema["pattern"]?.string,
                text.range(of: pattern, options: .regularExpression) == nil
            {
                found.append("\(path) does not match")
            }
            if case .integer(let least)? = schema["minLength"], text.count < least {
                found.append("\(path) is short")
            }
        }
        if case .integer(let number) = value {
            if case .integer(let least)? = schema["minimum"], number < least {
                found.append("\(path) is small")
            }
            if case .integer(let most)? = schema["maximum"], number > most {
                found.append("\(path) is large")
            }
        }
        if case .array(let elements) = value, let items = schema["items"] {
            for (index, element) in elements.enumerated() {
                found += check(element, schema: items, path: "\(path)/\(index)")
            }
        }
        if case .object(let members) = value { found += check(members, schema: schema, path: path) }
        return found + choices(value, schema: schema, path: path)
    }

    private func check(_ members: [String: JSONValue], schema: JSONValue, path: String) -> [String] {
        var found: [String] = []
        if case .array(let names)? = schema["required"] {
            for case .string(let name) in names where members[name] == nil {
                found.append("\(path) has no \(name)")
            }
        }
        for (name, value) in members where !name.hasPrefix("$") && !name.hasPrefix("//") {
            if let property = schema["properties"]?[name] {
                found += check(value, schema: property, path: "\(path)/\(name)")
            } else if let other = schema["additionalProperties"] {
                if other == .bool(false) { found.append("\(path)/\(name) is unknown") }
                if case .object = other { found += check(value, schema: other, path: "\(path)/\(name)") }
            }
        }
        return found
    }

    private func choices(_ value: JSONValue, schema: JSONValue, path: String) -> [String] {
        var found: [String] = []
        if case .array(let options)? = schema["anyOf"],
            !options.contains(where: { check(value, schema: $0, path: path).isEmpty })
        {
            found.append("\(path) is nothing of these")
        }
        if case .array(let options)? = schema["oneOf"],
            options.count(where: { check(value, schema: $0, path: path).isEmpty }) != 1
        {
            found.append("\(path) is not exactly one of these")
        }
        return found
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        default: false
        }
    }
}

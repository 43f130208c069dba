import STContracts
import STDomain
import STPlatform
import STSimulator

/// Reads the members of one object in a scenario by name, and rejects members without a meaning.
///
/// A misspelt name must not silently disable a part of the scenario.
struct ScenarioFields {
    let path: String
    private let members: [String: JSONValue]

    init(_ value: JSONValue, path: String, what: String) throws {
        guard case .object(let members) = value else {
            throw Problem("scenario.wrong_type", "\(what, "what") must be an object in braces.", field: path)
        }
        self.members = members
        self.path = path
    }

    func has(_ name: String) -> Bool { members[name] != nil && members[name] != .null }

    func pointer(_ name: String) -> String { "\(path)/\(name)" }

    /// Throws if the object has other names. Names that begin with `$` or `//` are for editors and comments.
    func allow(_ names: [String]) throws {
        for name in members.keys.sorted() where !names.contains(name) {
            if name.hasPrefix("$") || name.hasPrefix("//") { continue }
            let list = names.joined(separator: ", ")
            throw Problem(
                "scenario.unknown_field",
                text: TextFormat.closest(to: name, in: names).map {
                    Message(
                        "scenario.unknown_field.did-you-mean",
                        """
                        There is no field \(name, "name") here. Did you mean \($0, "near")? Known fields: \
                        \(list, "fields").
                        """
                    )
                }
                    ?? Message(
                        "scenario.unknown_field.known-fields",
                        "There is no field \(name, "name") here. Known fields: \(list, "fields")."
                    ),
                field: pointer(name)
            )
        }
    }

    func value(_ name: String) -> JSONValue? { has(name) ? members[name] : nil }

    func text(_ name: String) throws -> String? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, !text.isEmpty, text.utf8.count <= 2_048 else {
            throw Problem(
                "scenario.wrong_type",
                "\(name, "name") must be a string of 1 to 2048 bytes in quotes.",
                key: "scenario.wrong_type.is-a-text",
                field: pointer(name)
            )
        }
        return text
    }

    func required(_ name: String, _ advice: String) throws -> String {
        guard let text = try text(name) else {
            throw Problem(
                "scenario.missing_field",
                "\(name, "name") is missing. \(advice, "advice")",
                key: "scenario.missing_field.is-missing",
                field: pointer(name)
            )
        }
        return text
    }

    func bool(_ name: String) throws -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .bool(let flag) = value else {
            throw Problem(
                "scenario.wrong_type",
                "\(name, "name") must be true or false.",
                key: "scenario.wrong_type.is-true-or",
                field: pointer(name)
            )
        }
        return flag
    }

    func count(_ name: String, _ range: ClosedRange<Int64>) throws -> Int? {
        guard let value = value(name) else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw Problem(
                "scenario.wrong_type",
                """
                \(name, "name") must be a whole number from \(range.lowerBound, "least") to \
                \(range.upperBound, "most").
                """,
                key: "scenario.wrong_type.is-a-whole",
                field: pointer(name)
            )
        }
        return Int(number)
    }

    func duration(_ name: String) throws -> Duration? {
        guard let text = try text(name) else { return nil }
        guard let ms = TextFormat.durationMs(text) else {
            throw Problem(
                "scenario.bad_duration",
                """
                \(name, "name") must be a duration such as 25m, 1h30m, 90s or 250ms, not \
                “\(text, "text")”.
                """,
                field: pointer(name)
            )
        }
        return .milliseconds(ms)
    }

    /// Returns a duration. Throws if it is not greater than zero.
    func length(_ name: String) throws -> Duration? {
        guard let length = try duration(name) else { return nil }
        guard length > .zero else {
            throw Problem(
                "scenario.bad_duration",
                "\(name, "name") must be at least 1ms.",
                key: "scenario.bad_duration.lasts-at-least",
                field: pointer(name)
            )
        }
        return length
    }

    func civilTime(_ name: String) throws -> CivilText? {
        guard let text = try text(name) else { return nil }
        guard let civil = CivilText(text) else {
            throw Problem(
                "scenario.bad_time",
                "“\(text, "text")” is not a valid time. \(CivilText.expectation, "expectation")",
                key: "scenario.bad_time.is-not-a",
                field: pointer(name)
            )
        }
        return civil
    }

    /// Returns the elements of a list with their places.
    func list(_ name: String, limit: Int) throws -> [(value: JSONValue, path: String)] {
        guard let value = value(name) else { return [] }
        guard case .array(let elements) = value else {
            throw Problem(
                "scenario.wrong_type",
                "\(name, "name") must be a list in brackets.",
                key: "scenario.wrong_type.is-a-list",
                field: pointer(name)
            )
        }
        guard elements.count <= limit else {
            throw Problem(
                "scenario.too_long",
                """
                \(name, "name") has \(elements.count, "count") elements, but at most \(limit, "most") are \
                allowed.
                """,
                field: pointer(name)
            )
        }
        return elements.enumerated().map { ($0.element, "\(pointer(name))/\($0.offset)") }
    }

    /// Returns a list of texts. A single text needs no brackets.
    func texts(_ name: String, limit: Int = 200) throws -> [String] {
        if case .string? = value(name) { return try text(name).map { [$0] } ?? [] }
        return try list(name, limit: limit).map { element, path in
            guard case .string(let text) = element, !text.isEmpty, text.utf8.count <= 2_048 else {
                throw Problem(
                    "scenario.wrong_type",
                    "A string in quotes is expected here.",
                    key: "scenario.wrong_type.a-text-in",
                    field: path
                )
            }
            return text
        }
    }

    // MARK: - Members that several kinds of objects have

    static func zone(_ name: String, _ path: String) throws -> ZoneRules {
        guard let rules = ZoneRules.load(name) else {
            throw Problem(
                "scenario.unknown_zone",
                "\(name, "name") is not a time zone. Use an IANA name such as Europe/Berlin or Asia/Seoul.",
                field: path
            )
        }
        return rules
    }

    /// Returns the days of the week, where 1 is Sunday. Returns `nil`, for every day, if the member is missing.
    func days(_ name: String) throws -> [Int]? {
        guard let text = try text(name) else { return nil }
        guard let days = WeekdayText.days(text) else {
            throw Problem(
                "scenario.bad_days",
                "“\(text, "text")” does not name days. \(WeekdayText.expectation, "expectation")",
                field: pointer(name)
            )
        }
        return days
    }

    func subjects(_ name: String) throws -> [TokenItem] {
        try texts(name).map { try Self.subject($0, pointer(name)) }
    }

    static func subject(_ text: String, _ path: String) throws -> TokenItem {
        guard let item = SubjectText.item(text) else {
            throw Problem(
                "scenario.bad_subject",
                "“\(text, "text")” is not an app, a site or a category. \(SubjectText.expectation, "expectation")",
                key: "scenario.bad_subject.is-not-an",
                field: path
            )
        }
        return item
    }

    /// Returns a value of an enumeration. Returns `nil` if the member is missing.
    func enumValue<Value: WireEnum>(_ name: String, type: Value.Type, what: String) throws -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = Value(rawValue: text), value != .unknown else {
            let list = Value.known.joined(separator: ", ")
            throw Problem(
                "scenario.bad_value",
                "\(what, "what") is one of \(list, "values").",
                key: "scenario.bad_value.is-one-of",
                field: pointer(name)
            )
        }
        return value
    }

    /// Returns the duration `for`. Throws if it is missing.
    func requiredFor(_ length: Duration?) throws -> Duration {
        guard let length else {
            throw Problem(
                "scenario.missing_field",
                "The field `for` is missing. It contains a duration, such as 25m.",
                key: "scenario.missing_field.for-is-missing",
                field: pointer("for")
            )
        }
        return length
    }
}

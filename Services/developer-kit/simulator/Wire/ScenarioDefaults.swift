package import STContracts
import STDomain
package import STPlatform

/// The defaults of one group, as the app would have stored them before an extension is called.
package struct ScenarioDefaults: Sendable, Equatable {
    private enum Value: Sendable, Equatable {
        case plain(PropertyList)
        /// A `FamilyActivitySelection`, encoded as apps encode it.
        case selection([TokenItem])
    }

    package static let expectation = Message(
        "scenario.wrong_type.a-value-is",
        """
        A value is a string, a number, true, false, a list, an object, {"data": BASE64}, {"date": MOMENT} or \
        {"selection": ["firefox", "category:games"]}.
        """
    )
    private static let depthMax = 16
    /// The maximum number of tokens per request to auth-service.
    private static let issuedMax = 500

    package let group: String
    private let values: [String: Value]

    /// Returns the defaults of each group in an object.
    package static func all(_ value: JSONValue, _ place: String) throws -> [ScenarioDefaults] {
        guard case .object(let groups) = value else {
            throw Problem(
                "scenario.wrong_type",
                "Defaults must contain an object for each group.",
                key: "scenario.wrong_type.defaults-are-an",
                field: place
            )
        }
        return try groups.sorted { $0.key < $1.key }.map {
            try ScenarioDefaults($0.key, value: $0.value, path: "\(place)/\($0.key)")
        }
    }

    private init(_ group: String, value: JSONValue, path: String) throws {
        let isName =
            group.hasPrefix("group.") && group.utf8.count <= 128
            && group.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
        guard isName, case .object(let members) = value else {
            throw Problem(
                "scenario.wrong_type",
                "Defaults must contain an object for each group, such as {\"group.app\": {\"minutes\": 30}}.",
                key: "scenario.wrong_type.defaults-are-an-object",
                field: path
            )
        }
        self.group = group
        values = try Dictionary(
            uniqueKeysWithValues: members.map { ($0.key, try Self.value($0.value, "\(path)/\($0.key)")) }
        )
    }

    private static func value(_ value: JSONValue, _ path: String) throws -> Value {
        guard case .object(let members) = value, members.count == 1, let chosen = members["selection"] else {
            return .plain(try plain(value, path: path, depth: 0))
        }
        guard case .array(let names) = chosen else {
            throw Problem(
                "scenario.wrong_type",
                "A selection must be a list. \(SubjectText.expectation, "expectation")",
                key: "scenario.wrong_type.a-selection-is",
                field: path
            )
        }
        return .selection(
            try names.map { name in
                guard let item = name.string.flatMap(SubjectText.item) else {
                    throw Problem("scenario.bad_value", text: SubjectText.expectation, field: path)
                }
                return item
            }
        )
    }

    private static func plain(_ value: JSONValue, path: String, depth: Int) throws -> PropertyList {
        guard depth < depthMax else {
            throw Problem(
                "scenario.bad_value",
                "The value is nested too deeply.",
                key: "scenario.bad_value.it-is-nested",
                field: path
            )
        }
        switch value {
        case .string(let text): return .text(text)
        case .bool(let flag): return .flag(flag)
        case .integer(let number): return .scalar("integer", "\(number)")
        case .number(let number): return .scalar("real", "\(number)")
        case .array(let items): return .list(try items.map { try plain($0, path: path, depth: depth + 1) })
        case .object(let members):
            if members.count == 1, let bytes = members["data"]?.string, Base64.decode(bytes) != nil {
                return .scalar("data", bytes)
            }
            if members.count == 1, let moment = members["date"]?.string, let ms = RFC3339.wallMs(moment) {
                return .scalar("date", RFC3339.text(wallMs: ms / 1_000 * 1_000).replacing(".000Z", with: "Z"))
            }
            return .table(try members.mapValues { try plain($0, path: path, depth: depth + 1) })
        case .null: throw Problem("scenario.wrong_type", text: expectation, field: path)
        }
    }

    // MARK: - Writing

    /// Writes the defaults. It writes nothing if auth-service does not issue a token.
    package static func write(
        _ all: [ScenarioDefaults],
        state: String,
        issue: ([TokenItem]) async throws -> [String]
    ) async throws {
        var items: Set<TokenItem> = []
        for case .selection(let chosen) in all.flatMap(\.values.values) { items.formUnion(chosen) }
        let sorted = items.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
        var tokens: [TokenItem: String] = [:]
        for start in stride(from: 0, to: sorted.count, by: issuedMax) {
            let part = sorted[start..<min(start + issuedMax, sorted.count)]
            for (item, token) in zip(part, try await issue(Array(part))) { tokens[item] = token }
        }
        for defaults in all { try defaults.write(state: state, tokens: tokens) }
    }

    /// Returns the path at which the frameworks read the defaults.
    package func path(_ state: String) -> String {
        "\(state)/groups/\(group)/Library/Preferences/\(group).plist"
    }

    private func write(state: String, tokens: [TokenItem: String]) throws {
        try Directories.prepare("\(state)/groups/\(group)/Library/Preferences")
        let list = values.mapValues { value -> PropertyList in
            switch value {
            case .plain(let plain): plain
            case .selection(let items): .scalar("data", Self.selection(items, tokens))
            }
        }
        try AtomicFile.write(
            Array(PropertyList.table(list).xml.utf8),
            to: path(state),
            durable: false
        )
    }

    private static func selection(_ items: [TokenItem], _ tokens: [TokenItem: String]) -> String {
        func list(_ kind: TokenKind) -> JSONValue {
            .array(items.filter { $0.kind == kind }.compactMap { tokens[$0] }.map { ["data": .string($0)] })
        }
        let chosen: JSONValue = [
            "applicationTokens": list(.application), "categoryTokens": list(.category),
            "webDomainTokens": list(.domain), "includeEntireCategory": false,
        ]
        return Base64.encode(chosen.text)
    }
}

/// The subject of a rule or an event, as on the command line: `firefox`, `site:example.org`, `category:games`.
package enum SubjectText {
    package static let expectation = Message(
        "scenario.bad_value.write-an-app-as",
        "Write an app as firefox, a site as site:example.org and a category as category:games."
    )

    package static func item(_ text: String) -> TokenItem? {
        if text.hasPrefix("site:") { return named(.domain, text.dropFirst(5)) }
        if text.hasPrefix("category:") {
            guard Category(rawValue: String(text.dropFirst(9))) != nil else { return nil }
            return named(.category, text.dropFirst(9))
        }
        return named(.application, text[...])
    }

    package static func text(_ item: TokenItem) -> String {
        switch item.kind {
        case .category: "category:\(item.id)"
        case .domain: "site:\(item.id)"
        default: item.id
        }
    }

    private static func named(_ kind: TokenKind, _ name: Substring) -> TokenItem? {
        let isName = !name.isEmpty && name.utf8.count <= 256 && !name.contains(":") && !name.contains(" ")
        return isName ? TokenItem(kind: kind, id: String(name)) : nil
    }
}

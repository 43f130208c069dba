package import STContracts
import STDomain
import STPlatform

/// A selection in the format of `FamilyActivitySelection`, so that an app can read it as its own.
///
/// A file with tokens is for one app and one person. A file with names can be used for any rule.
package struct PickFile: WireBody, Codable, Equatable {
    package struct Token: Codable, Equatable, Sendable {
        package var data: String
    }

    package var applicationTokens: [Token]?
    package var categoryTokens: [Token]?
    package var webDomainTokens: [Token]?
    package var includeEntireCategory: Bool?
    package var untokenizedApplicationIdentifiers: [String]?
    package var untokenizedCategoryIdentifiers: [String]?
    package var untokenizedWebDomainIdentifiers: [String]?

    /// `FamilyActivitySelection` has keys in camel case.
    package static let keepsNames = true

    /// Upper bound on the items of each kind. People make selections by hand.
    package static let itemsMax = 1_000
    private static let bytesMax = 1024 * 1024
    private static let textBytesMax = 2_048

    /// Creates a file with names and without tokens.
    package init(_ selection: PickSelection) {
        applicationTokens = []
        categoryTokens = []
        webDomainTokens = []
        includeEntireCategory = selection.includesEntireCategories
        untokenizedApplicationIdentifiers = selection.apps.sorted()
        untokenizedCategoryIdentifiers = selection.categories.sorted()
        untokenizedWebDomainIdentifiers = selection.sites.sorted()
    }

    /// Creates a file with tokens and without names. `tokens` are those of `selection.items` in the same order.
    package init(_ selection: PickSelection, tokens: [String]) {
        self.init(PickSelection())
        includeEntireCategory = selection.includesEntireCategories
        for (item, token) in zip(selection.items, tokens) {
            switch item.kind {
            case .application: applicationTokens?.append(Token(data: token))
            case .category: categoryTokens?.append(Token(data: token))
            case .domain: webDomainTokens?.append(Token(data: token))
            case .unknown: break
            }
        }
    }

    // MARK: - Reading

    package static func read(_ path: String) throws -> PickFile {
        let bytes = try AtomicFile.read(path, limitBytes: bytesMax)
        do {
            let file = try PickFile.decodedBody(bytes)
            try file.check()
            return file
        } catch {
            let reason = ProblemText.problem(error)
            let place = reason.field.map { " (at \($0))" } ?? ""
            throw Problem(
                "selection.broken",
                """
                \(DisplayWidth.sanitized(path), "path") is not a selection: \(reason.text, "message")\(place, "place")
                """,
                help: "screentime pick --output \(DisplayWidth.sanitized(path))"
            )
        }
    }

    package var tokens: [String] {
        [applicationTokens, categoryTokens, webDomainTokens].flatMap { $0 ?? [] }.map(\.data)
    }

    /// The selection by names. The names of the file's tokens are not included.
    package var names: PickSelection {
        var selection = PickSelection()
        selection.apps = Set(untokenizedApplicationIdentifiers ?? [])
        selection.categories = Set((untokenizedCategoryIdentifiers ?? []).map { $0.lowercased() })
        selection.sites = Set((untokenizedWebDomainIdentifiers ?? []).map { DomainName.canonical($0) ?? $0 })
        selection.includesEntireCategories = includeEntireCategory ?? false
        return selection
    }

    /// Returns the items for a rule. Throws if the file has tokens, which only their app can use.
    package static func items(_ path: String) throws -> [TokenItem] {
        let file = try read(path)
        guard file.tokens.isEmpty else {
            throw Problem(
                "selection.has_tokens",
                """
                \(DisplayWidth.sanitized(path), "path") contains an app's tokens, which only that app can \
                read. A rule needs the names of apps, sites or categories.
                """,
                key: "selection.has_tokens.has-tokens-which",
                help:
                    "screentime pick --from \(DisplayWidth.sanitized(path)) --app APP --names --output names.json"
            )
        }
        guard !file.names.isEmpty else {
            // A rule without targets would apply to everything.
            throw Problem(
                "selection.empty",
                "The selection in \(DisplayWidth.sanitized(path), "path") is empty.",
                help:
                    "screentime pick --from \(DisplayWidth.sanitized(path)) --output \(DisplayWidth.sanitized(path))"
            )
        }
        return file.names.items
    }

    private func check() throws {
        for (name, list) in [
            ("applicationTokens", applicationTokens), ("categoryTokens", categoryTokens),
            ("webDomainTokens", webDomainTokens),
        ] {
            try Self.check(list?.map(\.data) ?? [], name: name) {
                !$0.isEmpty && $0.utf8.count <= Self.textBytesMax
            }
        }
        let isName = { (text: String) in
            text.contains { !$0.isWhitespace } && text.utf8.count <= UsageObserve.nameBytesMax
                && text == DisplayWidth.sanitized(text)
        }
        try Self.check(
            untokenizedApplicationIdentifiers ?? [],
            name: "untokenizedApplicationIdentifiers",
            isGood: isName
        )
        try Self.check(
            untokenizedCategoryIdentifiers ?? [],
            name: "untokenizedCategoryIdentifiers",
            isGood: isName
        )
        try Self.check(untokenizedWebDomainIdentifiers ?? [], name: "untokenizedWebDomainIdentifiers") {
            DomainName.canonical($0) != nil
        }
    }

    private static func check(_ list: [String], name: String, isGood: (String) -> Bool) throws(Problem) {
        guard list.count <= itemsMax else {
            throw Problem(
                "selection.too_many",
                "It has more than \(itemsMax, "most") entries.",
                key: "selection.too_many.it-has-more",
                field: "/\(name)"
            )
        }
        if let bad = list.firstIndex(where: { !isGood($0) }) {
            throw Problem(
                "selection.bad_name",
                "This entry is not the name of an app, a category or a site.",
                field: "/\(name)/\(bad)"
            )
        }
    }
}

/// The chosen items by their names.
package struct PickSelection: Sendable, Equatable {
    package var apps: Set<String> = []
    package var categories: Set<String> = []
    package var sites: Set<String> = []
    /// True if a category includes all its items. The word is Apple's.
    package var includesEntireCategories = false

    package init() {}

    package var isEmpty: Bool { apps.isEmpty && categories.isEmpty && sites.isEmpty }

    /// The items in the order of their names, so that equal selections have equal files.
    package var items: [TokenItem] {
        apps.sorted().map { TokenItem(kind: .application, id: $0) }
            + categories.sorted().map { TokenItem(kind: .category, id: $0) }
            + sites.sorted().map { TokenItem(kind: .domain, id: $0) }
    }

    package mutating func add(_ items: [TokenItem]) {
        for item in items {
            switch item.kind {
            case .application: apps.insert(item.id)
            case .category: categories.insert(item.id)
            case .domain: sites.insert(item.id)
            case .unknown: break
            }
        }
    }
}

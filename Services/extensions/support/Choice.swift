/// Apps, categories and sites as a person names them: firefox, category:games, site:reddit.com.
package struct Choice: Equatable, Sendable {
    /// As many as one selection on a phone may have in a shield.
    package static let namesMax = 50

    package private(set) var applications: [String] = []
    package private(set) var categories: [String] = []
    package private(set) var sites: [String] = []

    /// Reads names with commas or spaces between them.
    package init(_ text: String) throws {
        for name in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let last = String(parts[parts.count - 1])
            guard !last.isEmpty else {
                throw Refusal(.usage, "“\(name.prefix(40))” names nothing. Such as: \(Self.example)")
            }
            switch (parts.count, parts[0]) {
            case (1, _), (2, "app"): Self.add(last, to: &applications)
            case (2, "category"): Self.add(last, to: &categories)
            case (2, "site"): Self.add(last, to: &sites)
            default:
                throw Refusal(
                    .usage,
                    "“\(name.prefix(40))” is no app, category: or site:. Such as: \(Self.example)"
                )
            }
        }
        guard !names.isEmpty else {
            throw Refusal(
                .usage,
                "Nothing is chosen. Name apps, categories or sites, such as: \(Self.example)"
            )
        }
        guard names.count <= Self.namesMax else {
            throw Refusal(
                .usage,
                "\(names.count) are too many; choose at most \(Self.namesMax), or a category"
            )
        }
    }

    /// As they can be given again.
    package var names: [String] {
        applications + categories.map { "category:\($0)" } + sites.map { "site:\($0)" }
    }

    package static let example = "firefox,category:games,site:reddit.com"

    private static func add(_ name: String, to list: inout [String]) {
        if !list.contains(name) { list.append(name) }
    }
}

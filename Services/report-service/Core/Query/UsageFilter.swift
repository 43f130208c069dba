import STContracts
import STDomain
import STPlatform

/// From the names in a request to the numbers of the tables; what is not known is refused with what there is.
struct UsageFilter {
    let names: ReportNames
    let state: ReportState
    /// Otherwise what is not known is nothing: an app may ask about what nobody has used yet.
    var isStrict = true
    private static let shownMax = 12

    func whos(members: [String]?, devices: [String]?) throws -> [Int64] {
        // Who belongs to the household is known before anything is known of their use.
        let known = Set(names.whos.map(\.member)).union(state.apps.children.keys)
        // Before anything was seen of anybody, nobody can be told who there is.
        if !known.isEmpty {
            try require(members, known, "member", "/members") { "No use of \($0) is known here." }
        }
        let present = Set(names.whos.map { CoverageReport.id($0.device) } + state.devices.keys)
            .union([ReportDevice.this])
        try require(devices, present, "device", "/devices") { "No device \($0) is known here." }
        return names.whos.indices.filter { index in
            let who = names.whos[index]
            return members?.contains(who.member) != false
                && devices?.contains(CoverageReport.id(who.device)) != false
        }.map { Int64($0 + 1) }
    }

    func things(apps: [String]?, categories: [String]?, sites: [String]?) throws -> Set<Int64>? {
        guard apps != nil || categories != nil || sites != nil else { return nil }
        let appNames = Set((apps ?? []).map(CategoryMap.normal(app:)))
        let used = Set(names.things.compactMap(\.app).map(CategoryMap.normal(app:)))
        for app in apps ?? [] where state.facts[ReportState.key(app)] == nil {
            try require([CategoryMap.normal(app: app)], used, "app", "/apps") {
                "No use of the app \($0) is known here."
            }
        }
        let categoryNames = Set(names.things.compactMap(\.category) + Category.allCases.map(\.rawValue))
        try require(categories, categoryNames, "category", "/categories") { "There is no category \($0)." }
        let domains = Set(names.things.compactMap(\.domain))
        for site in sites ?? [] where !domains.contains(where: { Self.isPart($0, of: site) }) {
            try require([site], domains, "site", "/sites") { "No use of the site \($0) is known here." }
        }
        let wanted = Set(categories ?? [])
        var book = CategoryNames(names, state)
        return Set(
            names.things.indices.filter { index in
                let thing = names.things[index]
                return thing.app.map { appNames.contains(CategoryMap.normal(app: $0)) } == true
                    || !wanted.isEmpty && book.category(of: thing).map(wanted.contains) == true
                    || thing.domain.map { domain in sites?.contains { Self.isPart(domain, of: $0) } } == true
            }.map { Int64($0 + 1) }
        )
    }

    private static func isPart(_ domain: String, of site: String) -> Bool {
        domain == site || domain.hasSuffix("." + site)
    }

    /// `kind` is what the code ends with, and `path` where the name stood.
    private func require(
        _ asked: [String]?,
        _ known: Set<String>,
        _ kind: String,
        _ path: String,
        _ sentence: (String) -> String
    ) throws {
        guard isStrict, let strange = asked?.first(where: { !known.contains($0) }) else { return }
        let sorted = Self.nearest(to: strange, known)
        let more = known.count > Self.shownMax ? ", …" : ""
        let list = sorted.isEmpty ? "" : " Known: \(sorted.joined(separator: ", "))\(more)."
        throw Problem(
            "report.unknown_\(kind)",
            sentence(String(strange.prefix(80))) + list,
            field: path,
            details: ["known": sorted.joined(separator: " ")]
        )
    }

    /// Those that begin like it first, then by name.
    private static func nearest(to name: String, _ known: Set<String>) -> [String] {
        func common(_ other: String) -> Int {
            zip(name.lowercased(), other.lowercased()).prefix { $0 == $1 }.count
        }
        return Array(
            known.sorted { (common($1), $0) < (common($0), $1) }.prefix(shownMax)
        )
    }
}

package import STContracts
import STDomain

/// One event of an activity: so much use of these things, and how much of it there has been.
package struct WatchedEvent: WireBody, Codable, Equatable {
    /// As it was given, tokens included, for reading back.
    package var spec: ActivityEventSpec
    package var apps: Set<String>
    package var categories: Set<String>
    package var domains: Set<String>
    package var thresholdMs: Int64

    package var usedMs: Int64 = 0
    package var isReached = false
    package var isWarned = false
    /// Of the use, what was there already when the interval was entered by a step of the clock.
    package var carriedMs: Int64 = 0
    /// The latest stretches that counted.
    package var parts: [EvidencePart] = []
    package var more: Int64 = 0

    private static let partsMax = 16

    package init(
        spec: ActivityEventSpec,
        apps: Set<String>,
        categories: Set<String>,
        domains: Set<String>,
        thresholdMs: Int64
    ) {
        self.spec = spec
        self.apps = apps
        self.categories = categories
        self.domains = domains
        self.thresholdMs = thresholdMs
    }

    package var countsEverything: Bool { apps.isEmpty && categories.isEmpty && domains.isEmpty }

    package func matches(_ stretch: Stretch) -> Bool {
        countsEverything || stretch.app.map { apps.contains($0) } ?? false
            || stretch.domain.map { matches(domain: $0) } ?? false
            || stretch.category.map { categories.contains($0) } ?? false
    }

    /// A site counts with everything below it: `m.news.example` for `news.example`.
    func matches(domain: String) -> Bool {
        if domains.isEmpty { return false }
        if domains.contains(domain) { return true }
        return domains.contains { domain.hasSuffix("." + $0) }
    }

    /// The use at which a warning is due; nil when none was asked for.
    func warningPoint(_ warningMs: Int64?) -> Int64? { warningMs.map { max(0, thresholdMs - $0) } }

    mutating func rearm() {
        usedMs = 0
        isReached = false
        isWarned = false
        carriedMs = 0
        parts = []
        more = 0
    }

    mutating func remember(_ stretch: Stretch, fromBootMs: Int64, ms: Int64) {
        if let last = parts.indices.last, parts[last].segment == stretch.segment {
            parts[last].ms += ms
            return
        }
        parts.append(
            EvidencePart(
                segment: stretch.segment,
                app: stretch.app,
                domain: stretch.domain,
                category: stretch.category,
                startWallMs: stretch.wallMs(atBootMs: fromBootMs),
                ms: ms
            )
        )
        guard parts.count > Self.partsMax else { return }
        parts.removeFirst()
        more += 1
    }
}

/// Which cookies a browser takes, the strictest first.
package enum CookiePolicy: String, Sendable, CaseIterable, Comparable {
    case never, currentWebsite, visitedWebsites, always

    package static func < (left: CookiePolicy, right: CookiePolicy) -> Bool {
        left.strictness < right.strictness
    }

    private var strictness: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

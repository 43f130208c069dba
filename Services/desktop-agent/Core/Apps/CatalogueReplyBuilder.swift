package import STContracts
package import STDesktop
package import STDomain
package import STPlatform

/// Builds the replies of `desktop.apps`.
package enum CatalogueReplyBuilder {
    private static let languageBytesMax = 35

    /// Returns one page of the apps that can be chosen on this computer.
    ///
    /// Throws `DesktopFacts.stillStarting` if `catalogue` is nil, because desktop-agent has not read the installed apps yet.
    /// `next` contains the version of the catalogue, so that a list never mixes two versions.
    package static func page(
        _ request: DesktopCatalogue.Request,
        _ catalogue: AppCatalogue?,
        categories: CategoryMap,
        language: String?
    ) throws(Problem) -> DesktopCatalogue.Reply {
        guard let catalogue else { throw DesktopFacts.startingProblem }
        let limit = try AppsPaging.limit(request.limit, max: DesktopCatalogue.limitMax)
        if let wanted = request.language { try check(language: wanted) }
        let start = try AppsPaging.start(request.next, version: catalogue.version)
        let language = request.language ?? language
        let all = catalogue.choices(categories, language: language)
        guard start <= all.count else { throw AppsPaging.bad }
        var apps: [CatalogueApp] = []
        var bytes = 0
        for row in all[start...].prefix(limit) {
            let texts =
                [row.app, row.name, row.icon ?? ""] + (row.names ?? []) + (row.programs ?? [])
                + (row.kinds ?? [])
            // A character may take six bytes in the encoded reply.
            bytes += texts.reduce(128) { $0 + $1.utf8.count * 6 + 8 }
            if bytes > BusLimits.pageBytes, !apps.isEmpty { break }
            apps.append(row)
        }
        let end = start + apps.count
        return DesktopCatalogue.Reply(
            apps: apps,
            version: catalogue.version,
            next: end < all.count ? AppsPaging.next(end, version: catalogue.version) : nil
        )
    }

    private static func check(language: String) throws(Problem) {
        let isPlain = language.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
        guard !language.isEmpty, language.utf8.count <= languageBytesMax, isPlain else {
            throw Problem(
                "desktop.bad_language",
                """
                Write the language as a code, such as ko or pt_BR, with at most \(languageBytesMax, "bytes") \
                characters.
                """,
                field: "/language"
            )
        }
    }
}

/// Page limits and tokens for lists that are computed again for each page.
enum AppsPaging {
    static var bad: Problem {
        Problem("page.invalid", "Send `next` exactly as it was in the reply.", field: "/next")
    }

    /// Returns the requested number of entries, or `max` if the request has no limit.
    static func limit(_ limit: Int64?, max: Int64) throws(Problem) -> Int {
        guard let limit else { return Int(max) }
        guard (1...max).contains(limit) else {
            throw Problem("page.bad_limit", "A page has 1 to \(max, "most") entries.", field: "/limit")
        }
        return Int(limit)
    }

    static func next(_ start: Int, version: Int64) -> String { "\(version)/\(start)" }

    static func start(_ next: String?, version: Int64) throws(Problem) -> Int {
        guard let next else { return 0 }
        let parts = next.split(separator: "/", omittingEmptySubsequences: false)
        guard next.utf8.count <= 64, parts.count == 2, let was = Int64(parts[0]), let start = Int(parts[1]),
            start >= 0
        else { throw bad }
        guard was == version else {
            throw Problem(
                "page.changed",
                "The list of apps changed after the previous page was sent. Start again without `next`.",
                field: "/next",
                retryable: true
            )
        }
        return start
    }
}

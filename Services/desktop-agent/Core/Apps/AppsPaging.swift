import STPlatform

/// Pages of lists that are worked out anew for each.
enum AppsPaging {
    static var bad: Problem {
        Problem("page.invalid", "Send back `next` exactly as the reply had it.", field: "/next")
    }

    /// As many as were asked for, and all that one page may have where nothing is said.
    static func limit(_ limit: Int64?, max: Int64) throws(Problem) -> Int {
        guard let limit else { return Int(max) }
        guard (1...max).contains(limit) else {
            throw Problem("page.bad_limit", "A page has 1 to \(max) entries.", field: "/limit")
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
                "Something was installed or removed since the page before; begin anew without `next`.",
                field: "/next",
                retryable: true
            )
        }
        return start
    }
}

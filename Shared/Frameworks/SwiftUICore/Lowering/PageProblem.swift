import STContracts
package import STPlatform

/// Why there is no page.
package enum PageProblem {
    package static let tooDeep = Problem(
        "page.too_deep",
        "The view stands in too many others: a page takes \(PageLimits.depth) levels. Look for a view whose body"
            + " contains itself, and lay out with fewer stacks."
    )

    package static let tooManyNodes = Problem(
        "page.too_large",
        "The page has more than \(PageLimits.nodes) things on it. Show fewer rows, such as `prefix(50)` of them."
    )

    package static let tooManyViews = Problem(
        "page.too_large",
        "The page takes more than \(viewsMax) views to make. Show fewer rows, such as `prefix(50)` of them."
    )

    package static let tooMuchText = Problem(
        "page.too_large",
        "The texts of the page are longer than \(PageLimits.textBytes) bytes together. Shorten them, or show"
            + " fewer of them."
    )

    /// What a check of a whole page says of them.
    static let textCode = "page.text"

    package static let tooManyBytes = Problem(
        "page.too_large",
        "The page is larger than \(PageLimits.bytes) bytes. Show fewer things, smaller pictures, or fewer choices."
    )

    package static func noObject(_ type: String, _ view: String) -> Problem {
        Problem(
            "page.no_object",
            "\(view) expects an object of type \(type), and no view around it has one. Add `.environmentObject(...)`"
                + " or `.environment(...)` there."
        )
    }

    /// Also those that put nothing on the page.
    package static let viewsMax = 100_000
}

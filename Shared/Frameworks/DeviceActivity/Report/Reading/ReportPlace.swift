/// Where something stands in the pages of a report: the cursor of the page, and the part on it.
struct ReportPlace: Hashable, Sendable {
    static let start = ReportPlace(cursor: "", part: 0)

    /// Empty is the first page.
    var cursor: String
    var part: Int

    var following: ReportPlace { ReportPlace(cursor: cursor, part: part + 1) }
}

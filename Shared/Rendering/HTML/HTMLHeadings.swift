/// Keeps headings in order: none skips a level.
struct HTMLHeadings {
    private var last: Int

    /// `isTitled`: the title of the page is the first one.
    init(isTitled: Bool) { last = isTitled ? 1 : 0 }

    mutating func level(_ wanted: Int) -> Int {
        let level = min(max(wanted, 1), last + 1, 6)
        last = level
        return level
    }
}

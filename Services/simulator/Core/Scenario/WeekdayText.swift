/// Days of the week as people write them: `mon-fri`, `sat,sun`, `fri-mon`.
enum WeekdayText {
    private static let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    static let expectation = "Write days as mon-fri, as sat,sun or as daily."

    /// 1 is Sunday; nil for what is no list of days.
    static func days(_ text: String) -> [Int]? {
        if text == "daily" { return Array(1...7) }
        var days: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { name in
                names.firstIndex(of: String(name))
            }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                return nil
            }
            var day = first
            days.insert(day + 1)
            while day != last {
                day = (day + 1) % 7
                days.insert(day + 1)
            }
        }
        return days.sorted()
    }
}

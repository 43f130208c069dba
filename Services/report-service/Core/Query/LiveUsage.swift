import STContracts
import STStore

/// What is still open, as far as it is known, on top of what is in the tables: nothing of it is written.
struct LiveUsage {
    private(set) var fold: UsageFold
    /// Of days in which the open stretch came between others.
    private(set) var marks: [UsageFold.HourKey: UsageMark] = [:]

    init(_ state: ReportState, _ database: Database) throws {
        fold = state.fold
        for segment in state.fold.open.values.sorted(by: { $0.segment < $1.segment }) {
            try fold.take(segment, database)
        }
        for day in fold.dirty {
            for (hour, mark) in try fold.marks(of: day, database) {
                marks[UsageFold.HourKey(who: day.who, hour: hour)] = mark
            }
        }
    }

    /// Whether any of it lies in a time.
    func isOpen(_ whos: [Int64], fromMs: Int64, toMs: Int64) -> Bool {
        fold.open.values.contains { segment in
            let who = ReportNames.Who(device: segment.device ?? "", member: segment.member)
            return segment.startWallMs < toMs && segment.startWallMs + segment.durationMs >= fromMs
                && whos.contains { fold.names.who($0) == who }
        }
    }
}

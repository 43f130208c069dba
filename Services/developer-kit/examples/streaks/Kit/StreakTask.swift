package import DeviceActivity
package import FamilyControls
package import STAppSupport

/// A daily task to reduce or to increase the use of something.
package struct StreakTask: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Stay below the amount. The day is missed if the amount is reached.
        case decrease
        /// Reach the amount. The day is complete when it is reached.
        case increase
    }

    package static let titleBytesMax = 100

    /// The name of the task's event. It is never used again for another task.
    package let id: String
    package var kind: Kind
    package var title: String
    package var amount: Length
    /// The choice as the person typed it, because a token has no readable name.
    package var names: [String]

    package init(id: String, kind: Kind, title: String, amount: Length, names: [String]) {
        self.id = id
        self.kind = kind
        self.title = title
        self.amount = amount
        self.names = names
    }

    package var event: DeviceActivityEvent.Name { DeviceActivityEvent.Name(id) }

    /// The mark of a day on which the amount was reached.
    package var markWhenReached: StreakMark { kind == .decrease ? .missed : .complete }

    /// The mark of a day that ended without reaching the amount.
    package var markAtEnd: StreakMark { kind == .decrease ? .complete : .missed }

    /// Throws a refusal if the task is not valid.
    package func check() throws {
        guard amount.seconds > 0, amount < .day else {
            throw Refusal(
                .usage,
                "The amount is \(amount.text). Give more than 0m and less than a day, such as 30m"
            )
        }
        guard !title.isEmpty, title.utf8.count <= Self.titleBytesMax,
            title.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw Refusal(.usage, "A task has a title of one line with at most \(Self.titleBytesMax) bytes")
        }
    }

    /// Returns the event to monitor.
    ///
    /// A change of the tasks restarts the counting of the day, so the event includes the earlier use.
    package func counted(_ selection: FamilyActivitySelection) -> DeviceActivityEvent {
        DeviceActivityEvent(
            applications: selection.applicationTokens,
            categories: selection.categoryTokens,
            webDomains: selection.webDomainTokens,
            threshold: amount.components,
            includesPastActivity: true
        )
    }
}

// A task is stored as a dictionary in the defaults, so that the extension needs no decoder.
extension StreakTask {
    package var stored: [String: Any] {
        ["id": id, "kind": kind.rawValue, "title": title, "seconds": amount.seconds, "names": names]
    }

    package init?(stored: [String: Any]) {
        guard let id = stored["id"] as? String, let title = stored["title"] as? String,
            let kind = (stored["kind"] as? String).flatMap(Kind.init), let seconds = stored["seconds"] as? Int
        else { return nil }
        let names = stored["names"] as? [String] ?? []
        self.init(id: id, kind: kind, title: title, amount: Length(seconds: seconds), names: names)
    }
}

/// The mark of each day for one task.
///
/// A callback may be repeated, so repeating any of these methods has no further effect.
package struct StreakHistory: Equatable {
    package var marks: DayMarks<StreakMark>

    package init(_ marks: DayMarks<StreakMark> = DayMarks()) { self.marks = marks }

    /// Begins a day, or continues it after a change of the tasks. A mark that was set at the end of the day is removed.
    package mutating func begin(_ day: Day, of task: StreakTask) {
        if marks[day] == task.markAtEnd { marks[day] = nil }
    }

    package mutating func reach(on day: Day, of task: StreakTask) { marks[day] = task.markWhenReached }

    /// Ends a day. A day without a mark receives the mark for days that ended without reaching the amount.
    package mutating func end(_ day: Day, of task: StreakTask) {
        if marks[day] == nil { marks[day] = task.markAtEnd }
    }

    /// Returns the current number of consecutive complete days.
    ///
    /// Today counts if it is complete, and ends the streak if it is missed.
    package func streak(today: Day) -> Int { marks.run(of: .complete, until: today) }

    package var longest: Int { marks.longestRun(of: .complete) }
}

/// The result of one day for one task.
package enum StreakMark: Character, Sendable {
    case complete = "C"
    case missed = "M"
}

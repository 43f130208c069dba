package import DeviceActivity
package import FamilyControls
package import STAppSupport

/// Something to do less or more of, every day.
package struct StreakTask: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Staying under the amount; reaching it misses the day.
        case decrease
        /// Reaching the amount completes the day.
        case increase
    }

    package static let titleBytesMax = 100

    /// The name of its event; never used again for another task.
    package let id: String
    package var kind: Kind
    package var title: String
    package var amount: Length
    /// The choice as it was typed: a token does not tell its name.
    package var names: [String]

    package init(id: String, kind: Kind, title: String, amount: Length, names: [String]) {
        self.id = id
        self.kind = kind
        self.title = title
        self.amount = amount
        self.names = names
    }

    package var event: DeviceActivityEvent.Name { DeviceActivityEvent.Name(id) }

    /// What it means for a day that the amount was reached.
    package var markWhenReached: StreakMark { kind == .decrease ? .missed : .complete }

    /// What it means for a day that is over without that.
    package var markAtEnd: StreakMark { kind == .decrease ? .complete : .missed }

    /// Says what cannot be a task.
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

    /// What is counted.
    ///
    /// Changing the tasks starts the day's counting anew, so what was used before counts, too.
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

// As a dictionary in the defaults: the extension need not bring in a decoder.
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

/// What each day was for one task.
///
/// A callback may come twice, so each of these leads to the same when it is repeated.
package struct StreakHistory: Equatable {
    package var marks: DayMarks<StreakMark>

    package init(_ marks: DayMarks<StreakMark> = DayMarks()) { self.marks = marks }

    /// A day begins, or goes on after a change of the tasks: what only its end could decide is open again.
    package mutating func begin(_ day: Day, of task: StreakTask) {
        if marks[day] == task.markAtEnd { marks[day] = nil }
    }

    package mutating func reach(on day: Day, of task: StreakTask) { marks[day] = task.markWhenReached }

    /// A day is over: what did not happen in it will not happen any more.
    package mutating func end(_ day: Day, of task: StreakTask) {
        if marks[day] == nil { marks[day] = task.markAtEnd }
    }

    /// How many complete days in a row there are now.
    ///
    /// Today counts when it is complete, and breaks the row when it is missed.
    package func streak(today: Day) -> Int { marks.run(of: .complete, until: today) }

    package var longest: Int { marks.longestRun(of: .complete) }
}

/// What one day was for one task.
package enum StreakMark: Character, Sendable {
    case complete = "C"
    case missed = "M"
}

import Foundation
import STAppSupport
import STStreaksKit

/// The content of the screens, as text and as JSON for programs.
@MainActor
struct StreaksReport {
    private struct Item: Encodable {
        var id: String
        var kind: String
        var title: String
        var amountSeconds: Int
        var names: [String]
        var today: String
        var streak: Int
        var longest: Int
        var complete: Int
        var missed: Int
        var days: String
    }

    private struct Whole: Encodable {
        var permission: String
        var isWatching: Bool
        var day: String
        var nextInterval: String?
        var tasks: [Item]
    }

    /// The first day of the week in the person's locale.
    private let firstWeekday = Calendar.current.firstWeekday
    private let model: StreaksModel
    private let words: StreakWords

    init(_ model: StreaksModel, _ words: StreakWords) {
        self.model = model
        self.words = words
    }

    var tasks: String { lines { words.task($0) } }

    var today: String {
        let day = model.today
        return lines { words.today($0, model.mark($0, on: day)) }
    }

    var streaks: String {
        let day = model.today
        return lines {
            let history = model.history($0)
            return words.streak($0, history.streak(today: day), longest: history.longest)
        }
    }

    var watched: String {
        words.watched(model.isWatching ? interval ?? "–" : nil)
    }

    func month(_ text: String?, of task: StreakTask) throws -> String {
        let grid: MonthGrid
        if let text {
            guard let found = MonthGrid(text, firstWeekday: firstWeekday) else {
                throw Refusal(.usage, "“\(text.prefix(40))” is not a month. Write it like 2026-11")
            }
            grid = found
        } else {
            grid = MonthGrid(of: model.today, firstWeekday: firstWeekday)
        }
        let marks = model.history(task).marks
        let today = model.today
        let body = grid.lines(weekdays: words.weekdays, firstWeekday: firstWeekday) { day in
            if let mark = marks[day] { return words.mark(mark) }
            return day == today ? words.mark(nil) : " "
        }
        let title = "\(Digits.four(grid.year))-\(Digits.two(grid.month))  \(task.title): \(words.goal(task))"
        return ([title] + body).joined(separator: "\n")
    }

    func json() throws -> String {
        let day = model.today
        let items = model.tasks.map { task in
            let history = model.history(task)
            let mark = history.marks[day]
            return Item(
                id: task.id,
                kind: task.kind.rawValue,
                title: task.title,
                amountSeconds: task.amount.seconds,
                names: task.names,
                today: mark.map { $0 == .complete ? "complete" : "missed" } ?? "open",
                streak: history.streak(today: day),
                longest: history.longest,
                complete: history.marks.count(.complete),
                missed: history.marks.count(.missed),
                days: history.marks.text
            )
        }
        let whole = Whole(
            permission: model.permission,
            isWatching: model.isWatching,
            day: day.text,
            nextInterval: interval,
            tasks: items
        )
        return try Console.json(whole)
    }

    private var interval: String? {
        model.nextInterval.map { "\(LocalTime.text($0.start)) – \(LocalTime.text($0.end))" }
    }

    private func lines(_ line: (StreakTask) -> String) -> String {
        let lines = model.tasks.map(line)
        return lines.isEmpty ? words.noTasks : lines.joined(separator: "\n")
    }
}

import Foundation
import STAppSupport
import STStreaksKit

/// The screens of the app: permission, tasks, today, streaks and a month. Tasks can be added, edited and removed.
@MainActor
struct StreaksScreens {
    private let model: StreaksModel
    private let console: Console
    private let words: StreakWords

    init(_ model: StreaksModel, console: Console, words: StreakWords) {
        self.model = model
        self.console = console
        self.words = words
    }

    private var report: StreaksReport { StreaksReport(model, words) }

    func run() async {
        console.say(report.tasks, report.watched)
        await console.lead(through: words.menu, asking: words.next, nextStep: { nextStep }, show: show)
    }

    /// The next step of the setup, which Enter opens.
    private var nextStep: String {
        if !model.isApproved { return "p" }
        if model.tasks.isEmpty { return "a" }
        return model.isWatching ? "t" : "w"
    }

    private func show(_ step: String) async throws {
        switch step {
        case "p": try await console.askPermission(words.askPermission, words)
        case "l": console.say(report.tasks, report.watched)
        case "a": try add()
        case "e": try edit()
        case "r": try remove()
        case "t": console.say(report.today)
        case "s": console.say(report.streaks)
        case "m": try showMonth()
        case "w":
            try model.watch()
            console.say(report.watched)
        case "o":
            model.stop()
            console.say(words.stopped)
        default: console.say(words.unknown)
        }
    }

    private func add() throws {
        guard let kind = given(words.askKind), let names = given(words.askNames),
            let amount = given(words.askAmount)
        else { return }
        let task = try model.add(
            StreaksCommand.kind(kind),
            title: given(words.askTitle),
            choice: Choice(names),
            amount: Length.read(amount)
        )
        console.say(words.task(task))
    }

    private func edit() throws {
        guard let task = try askTask() else { return }
        console.say(words.task(task))
        let title = given(words.keeps(words.askTitle))
        let choice = try given(words.keeps(words.askNames)).map(Choice.init)
        let amount = try given(words.keeps(words.askAmount)).map { try Length.read($0) }
        try model.edit(task.id, title: title, choice: choice, amount: amount)
        console.say(report.tasks)
    }

    private func remove() throws {
        guard let task = try askTask() else { return }
        try model.remove(task.id)
        console.say(report.tasks)
    }

    private func showMonth() throws {
        guard let task = try askTask() else { return }
        console.say(try report.month(given(words.askMonth), of: task))
    }

    /// Returns the task that the person names. A single task need not be named.
    private func askTask() throws -> StreakTask? {
        let tasks = model.tasks
        guard tasks.count > 1 else { return tasks.first }
        console.say(report.tasks)
        return try given(words.askTask).map { answer in
            try model.task(answer.allSatisfy(\.isNumber) ? "task-\(answer)" : answer)
        }
    }

    /// Returns the answer, or `nil` if it is empty.
    private func given(_ question: String) -> String? {
        console.ask(question).flatMap { $0.isEmpty ? nil : $0 }
    }
}

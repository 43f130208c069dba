import Foundation
import STAppSupport
import STWorklogKit

/// The screens of the app: permission, work, start, evenings and status.
@MainActor
struct WorklogScreens {
    let model: WorklogModel
    let console: Console
    private let words = WorklogWords(.current)

    init(model: WorklogModel, console: Console) {
        self.model = model
        self.console = console
    }

    func run() async {
        if let problem = model.selectionProblem { console.complain(problem) }
        console.say(model.status(words))
        await console.lead(through: words.menu, asking: words.next, nextStep: { nextStep }, show: show)
    }

    /// The next step of the setup, which Enter opens.
    private var nextStep: String {
        if !model.isApproved { return "1" }
        if model.names.isEmpty { return "2" }
        if !model.isStarted { return "3" }
        return model.hasEvenings ? "q" : "4"
    }

    private func show(_ step: String) async throws {
        switch step {
        case "1": try await console.askPermission(words.askPermission, words)
        case "2": try chooseWork()
        case "3":
            try model.start()
            console.say(words.started)
        case "4":
            try model.allowEvenings(!model.hasEvenings)
            console.say(model.status(words))
        case "5":
            model.stop()
            console.say(words.stopped)
        case "6": console.say(model.status(words))
        default: console.say(words.unknown)
        }
    }

    private func chooseWork() throws {
        console.say(words.work(model.names, model.hours))
        if let names = console.given(words.askNames) { try model.choose(Choice(names)) }
        if let hours = console.given(words.askHours) { model.hours = try WorklogModel.readHours(hours) }
        console.say(words.work(model.names, model.hours))
        guard model.isStarted else { return }
        try model.start()
        console.say(words.started)
    }
}

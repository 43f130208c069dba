import Foundation
import STAppSupport
import STBarebonesKit

/// The screens of the app: permission, choice, hours, monitoring and status.
@MainActor
struct BarebonesScreens {
    let model: BarebonesModel
    let console: Console
    private let words = BarebonesWords(.current)

    init(model: BarebonesModel, console: Console) {
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
        if !model.hasChoice { return "2" }
        return model.isMonitoring ? "q" : "4"
    }

    private func show(_ step: String) async throws {
        switch step {
        case "1": try await console.askPermission(words.askPermission, words)
        case "2": try choose()
        case "3": try askHours()
        case "4":
            try model.start()
            console.say(words.started)
        case "5":
            model.stop()
            console.say(words.stopped)
        case "6": console.say(model.status(words))
        default: console.say(words.unknown)
        }
    }

    private func choose() throws {
        console.say(words.chosen(model.names))
        guard let answer = console.given(words.askNames) else { return }
        try model.choose(Choice(answer))
        console.say(words.chosen(model.names))
        try watchAnew()
    }

    private func askHours() throws {
        var hours = model.hours
        console.say(words.hours(hours))
        if let text = console.given(words.askFrom) { hours.from = try TimeOfDay.read(text) }
        if let text = console.given(words.askTo) { hours.to = try TimeOfDay.read(text) }
        guard hours != model.hours else { return }
        model.hours = hours
        console.say(words.hours(hours))
        try watchAnew()
    }

    /// Restarts monitoring with the new settings, if it is running.
    private func watchAnew() throws {
        guard model.isMonitoring else { return }
        try model.start()
        console.say(words.started)
    }
}

import Foundation
import STAppSupport
import STPromiseKit

/// The screens of the app: permission, choice, time, words, monitoring and status.
@MainActor
struct PromiseScreens {
    let model: PromiseModel
    let console: Console
    private let words = PromiseWords(.current)

    init(model: PromiseModel, console: Console) {
        self.model = model
        self.console = console
    }

    func run() async {
        if let problem = model.selectionProblem { console.complain(problem) }
        showStatus()
        await console.lead(through: words.menu, asking: words.next, nextStep: { nextStep }, show: show)
    }

    /// The next step of the setup, which Enter opens.
    private var nextStep: String {
        if !model.isApproved { return "1" }
        if !model.hasChoice { return "2" }
        return model.isMonitoring ? "q" : "5"
    }

    private func show(_ step: String) async throws {
        switch step {
        case "1": try await console.askPermission(words.askPermission, words)
        case "2": try choose()
        case "3": try askTimes()
        case "4": try askWords()
        case "5":
            try model.start()
            console.say(words.started)
        case "6":
            model.stop()
            console.say(words.stopped)
        case "7": showStatus()
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

    private func askTimes() throws {
        var terms = model.terms
        console.say(words.terms(terms.allowance, warning: terms.warning, window: terms.window))
        if let text = console.given(words.askAllowance) { terms.allowance = try Length.read(text) }
        if let text = console.given(words.askWarning) {
            let warning = try Length.read(text)
            terms.warning = warning.seconds > 0 ? warning : nil
        }
        if let text = console.given(words.askFrom) { terms.from = try TimeOfDay.read(text) }
        if let text = console.given(words.askTo) { terms.to = try TimeOfDay.read(text) }
        let isChanged = terms.isWatchedOtherwise(than: model.terms)
        try model.agree(to: terms)
        console.say(words.terms(terms.allowance, warning: terms.warning, window: terms.window))
        if isChanged { try watchAnew() }
    }

    private func askWords() throws {
        var terms = model.terms
        console.say(words.own(terms.words))
        guard let text = console.given(words.askWords) else { return }
        terms.words = text
        try model.agree(to: terms)
        console.say(words.own(terms.words))
    }

    private func showStatus() { console.say(StatusReport(model).text(words)) }

    /// Restarts monitoring with the new terms, if it is running.
    private func watchAnew() throws {
        guard model.isMonitoring else { return }
        try model.start()
        console.say(words.started)
    }
}

import Foundation
import STAppSupport
import STPromiseKit

/// Shows the app's screens. With options, `promise` performs them and exits.
@main
@MainActor
struct PromiseApp {
    static func main() async {
        await Console.run { words, console in
            try await PromiseCommand(words).run(PromiseModel(), console)
        }
    }
}

/// The app's command line.
struct PromiseCommand {
    static let help = """
        promise                    the app, screen by screen
        promise --ask              ask for permission
        promise --choose NAMES     apps, categories and sites, such as \(Choice.example)
        promise --allowance 30m    how long a day
        promise --warning 5m       a warning so long before; 0m for none
        promise --words TEXT       what it says when the time is used up
        promise --from 9:00 --to 17:00
        promise --start | --stop   start or stop watching
        promise --status [--json]  what was kept, what is watched

        Options can be given together; permission comes first, then what is chosen, then --start.
        """

    private let arguments: Arguments

    init(_ words: [String]) throws {
        arguments = try Arguments(
            words,
            flags: ["--ask", "--start", "--stop", "--status", "--json", "--help"],
            values: ["--choose", "--allowance", "--warning", "--words", "--from", "--to"]
        )
        guard !arguments.has("--start") || !arguments.has("--stop") else {
            throw Refusal(.usage, "Give --start or --stop, not both")
        }
    }

    @MainActor
    func run(_ model: PromiseModel, _ console: Console) async throws {
        if arguments.has("--help") { return console.say(Self.help) }
        if arguments.isEmpty { return await PromiseScreens(model: model, console: console).run() }
        // Read all options before applying any of them.
        let choice = try arguments["--choose"].map(Choice.init)
        let terms = try terms(model.terms)
        if arguments.has("--ask") { try await model.requestPermission() }
        if let choice { try model.choose(choice) }
        let isChanged = terms.isWatchedOtherwise(than: model.terms) || choice != nil
        if terms != model.terms { try model.agree(to: terms) }
        if arguments.has("--stop") { model.stop() }
        if arguments.has("--start") || (isChanged && model.isMonitoring) { try model.start() }
        if arguments.has("--status") || arguments.has("--json") {
            let report = StatusReport(model)
            console.say(arguments.has("--json") ? try report.json() : report.text(PromiseWords(.current)))
        }
    }

    private func terms(_ old: PromiseTerms) throws -> PromiseTerms {
        var terms = old
        if let text = arguments["--allowance"] { terms.allowance = try Length.read(text, "--allowance") }
        if let text = arguments["--warning"] {
            let warning = try Length.read(text, "--warning")
            terms.warning = warning.seconds > 0 ? warning : nil
        }
        if let text = arguments["--words"] { terms.words = text }
        if let text = arguments["--from"] { terms.from = try TimeOfDay.read(text, "--from") }
        if let text = arguments["--to"] { terms.to = try TimeOfDay.read(text, "--to") }
        try terms.check()
        return terms
    }
}

import Foundation
import STAppSupport
import STWorklogKit

/// Shows the app's screens. With options, `worklog` performs them and exits.
@main
@MainActor
struct WorklogApp {
    static func main() async {
        await Console.run { words, console in
            try await WorklogCommand(words).run(WorklogModel(), console)
        }
    }
}

/// The app's command line.
struct WorklogCommand {
    static let help = """
        worklog                    the app, screen by screen
        worklog --ask              ask for permission
        worklog --work NAMES       what is work: apps, categories and sites, such as code,category:productivity
        worklog --hours 2h         how much of it a day opens the games
        worklog --start | --stop   close games until the work is done, and social things; or open all again
        worklog --evenings on|off  open social things from \(WorklogSchedules.eveningText)
        worklog --status           what is work, what is closed

        Options can be given together; permission comes first, then what is chosen, then --start.
        """

    private let arguments: Arguments

    init(_ words: [String]) throws {
        arguments = try Arguments(
            words,
            flags: ["--ask", "--start", "--stop", "--status", "--help"],
            values: ["--work", "--hours", "--evenings"]
        )
        guard !arguments.has("--start") || !arguments.has("--stop") else {
            throw Refusal(.usage, "Give --start or --stop, not both")
        }
    }

    @MainActor
    func run(_ model: WorklogModel, _ console: Console) async throws {
        if arguments.has("--help") { return console.say(Self.help) }
        if arguments.isEmpty { return await WorklogScreens(model: model, console: console).run() }
        // Read all options before applying any of them.
        let choice = try arguments["--work"].map(Choice.init)
        let hours = try arguments["--hours"].map { try WorklogModel.readHours($0, "--hours") }
        let evenings = try arguments["--evenings"].map(Self.isOn)
        if arguments.has("--ask") { try await model.requestPermission() }
        if let choice { try model.choose(choice) }
        if let hours { model.hours = hours }
        if arguments.has("--stop") { model.stop() }
        if arguments.has("--start") || ((choice != nil || hours != nil) && model.isStarted) {
            try model.start()
        }
        if let evenings { try model.allowEvenings(evenings) }
        if arguments.has("--status") { console.say(model.status(WorklogWords(.current))) }
    }

    private static func isOn(_ text: String) throws -> Bool {
        switch text {
        case "on": true
        case "off": false
        default: throw Refusal(.usage, "--evenings is on or off, not “\(text.prefix(40))”")
        }
    }
}

import Foundation
import STAppSupport
import STBarebonesKit

/// Shows the app's screens. With options, `barebones` performs them and exits.
@main
@MainActor
struct BarebonesApp {
    static func main() async {
        await Console.run { words, console in
            try await BarebonesCommand(words).run(BarebonesModel(), console)
        }
    }
}

/// The app's command line.
struct BarebonesCommand {
    static let help = """
        barebones                    the app, screen by screen
        barebones --ask              ask for permission
        barebones --choose NAMES     apps, categories and sites, such as \(Choice.example)
        barebones --from 9:00 --to 18:00
        barebones --start | --stop   start or stop watching
        barebones --status           what is chosen, watched and shielded

        Options can be given together; permission comes first, then what is chosen, then --start.
        """

    private let arguments: Arguments

    init(_ words: [String]) throws {
        arguments = try Arguments(
            words,
            flags: ["--ask", "--start", "--stop", "--status", "--help"],
            values: ["--choose", "--from", "--to"]
        )
        guard !arguments.has("--start") || !arguments.has("--stop") else {
            throw Refusal(.usage, "Give --start or --stop, not both")
        }
    }

    @MainActor
    func run(_ model: BarebonesModel, _ console: Console) async throws {
        if arguments.has("--help") { return console.say(Self.help) }
        if arguments.isEmpty { return await BarebonesScreens(model: model, console: console).run() }
        // Read all options before applying any of them.
        let choice = try arguments["--choose"].map(Choice.init)
        var hours = model.hours
        if let text = arguments["--from"] { hours.from = try TimeOfDay.read(text, "--from") }
        if let text = arguments["--to"] { hours.to = try TimeOfDay.read(text, "--to") }
        if arguments.has("--ask") { try await model.requestPermission() }
        if let choice { try model.choose(choice) }
        let isChanged = hours != model.hours || choice != nil
        model.hours = hours
        if arguments.has("--stop") { model.stop() }
        if arguments.has("--start") || (isChanged && model.isMonitoring) { try model.start() }
        if arguments.has("--status") { console.say(model.status(BarebonesWords(.current))) }
    }
}

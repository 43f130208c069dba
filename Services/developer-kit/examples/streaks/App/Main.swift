import Foundation
import STAppSupport
import STStreaksKit

/// Shows the app's screens. With options, `streaks` performs them and exits.
@main
@MainActor
struct StreaksApp {
    static func main() async {
        await Console.run { words, console in
            try await StreaksCommand(words).run(StreaksModel(), console)
        }
    }
}

/// The app's command line.
struct StreaksCommand {
    static let help = """
        streaks                          the app, screen by screen
        streaks --ask                    ask for permission
        streaks --add decrease --choose NAMES --amount 30m [--title TEXT]
        streaks --add increase --choose NAMES --amount 1h [--title TEXT]
        streaks --edit TASK [--choose NAMES] [--amount 45m] [--title TEXT]
        streaks --remove TASK
        streaks --tasks | --today | --streaks
        streaks --month [--in 2026-11] [--task TASK]
        streaks --start | --stop         start or stop watching
        streaks --json                   all of it, for programs

        NAMES are apps, categories and sites, such as \(Choice.example).
        """

    private let arguments: Arguments

    init(_ words: [String]) throws {
        arguments = try Arguments(
            words,
            flags: [
                "--ask", "--tasks", "--today", "--streaks", "--month", "--start", "--stop", "--json",
                "--help",
            ],
            values: ["--add", "--edit", "--remove", "--title", "--choose", "--amount", "--in", "--task"]
        )
        for pair in [
            ["--add", "--edit"], ["--add", "--remove"], ["--edit", "--remove"], ["--start", "--stop"],
        ]
        where pair.allSatisfy(arguments.has) {
            throw Refusal(.usage, "Give \(pair[0]) or \(pair[1]), not both")
        }
        for option in ["--title", "--choose", "--amount"]
        where arguments.has(option) && !arguments.has("--add") && !arguments.has("--edit") {
            throw Refusal(.usage, "\(option) goes with --add or --edit. See --help")
        }
        for option in ["--in", "--task"] where arguments.has(option) && !arguments.has("--month") {
            throw Refusal(.usage, "\(option) goes with --month. See --help")
        }
    }

    @MainActor
    func run(_ model: StreaksModel, _ console: Console) async throws {
        let words = StreakWords(.current)
        if arguments.has("--help") { return console.say(Self.help) }
        if arguments.isEmpty { return await StreaksScreens(model, console: console, words: words).run() }
        // Read all options before applying any of them.
        let choice = try arguments["--choose"].map(Choice.init)
        let amount = try arguments["--amount"].map { try Length.read($0, "--amount") }
        let kind = try arguments["--add"].map(Self.kind)
        if arguments.has("--ask") { try await model.requestPermission() }
        if let kind {
            guard let choice, let amount else {
                throw Refusal(.usage, "A task needs --choose and --amount. See --help")
            }
            let task = try model.add(kind, title: arguments["--title"], choice: choice, amount: amount)
            console.say(words.task(task))
        }
        if let id = arguments["--edit"] {
            try model.edit(id, title: arguments["--title"], choice: choice, amount: amount)
            console.say(words.task(try model.task(id)))
        }
        if let id = arguments["--remove"] { try model.remove(id) }
        if arguments.has("--stop") { model.stop() }
        if arguments.has("--start") { try model.watch() }
        try show(StreaksReport(model, words), model: model, console: console)
    }

    @MainActor
    private func show(_ report: StreaksReport, model: StreaksModel, console: Console) throws {
        if arguments.has("--json") { return console.say(try report.json()) }
        if arguments.has("--tasks") { console.say(report.tasks, report.watched) }
        if arguments.has("--today") { console.say(report.today) }
        if arguments.has("--streaks") { console.say(report.streaks) }
        if arguments.has("--month") {
            let tasks = try arguments["--task"].map { [try model.task($0)] } ?? model.tasks
            for task in tasks { console.say(try report.month(arguments["--in"], of: task)) }
        }
    }

    static func kind(_ text: String) throws -> StreakTask.Kind {
        let found = StreakTask.Kind.allCases.first {
            !text.isEmpty && $0.rawValue.hasPrefix(text.lowercased())
        }
        guard let found else {
            throw Refusal(.usage, "“\(text.prefix(40))” is not a kind of task. Kinds are: decrease, increase")
        }
        return found
    }
}

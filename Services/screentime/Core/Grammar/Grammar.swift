package import STPlatform

/// A part of the help. `help --all` and the manual page show the groups in this order.
package enum CommandGroup: CaseIterable, Sendable {
    case start, usage, rules, requests, people, computer, records, shields, apps, messages, help

    package var title: Message {
        switch self {
        case .start: Message("help.group-start", "Start")
        case .usage: Message("help.group-usage", "Usage")
        case .rules: Message("help.group-rules", "Rules")
        case .requests: Message("help.group-requests", "More time")
        case .people: Message("help.group-people", "People and machines")
        case .computer: Message("help.group-computer", "This computer")
        case .records: Message("help.group-records", "Records")
        case .shields: Message("help.group-shields", "Shields and notifications")
        case .apps: Message("help.group-apps", "Apps with extensions")
        case .messages: Message("help.group-messages", "Messages between services")
        case .help: Message("help.group-help", "Help")
        }
    }
}

/// The table of all commands of this version.
///
/// Help, completion and the parser use this table and nothing else.
package enum Grammar {
    private static let table: [(group: CommandGroup, commands: [[Command]])] = [
        (.start, [[SetupCommand.command], [ConsoleCommand.command], TodayCommand.commands]),
        (.usage, [ReportCommand.commands, WhyCommand.commands, CategoryCommand.commands]),
        (.rules, [RuleCommand.commands, SessionCommand.commands, [RuleDelayCommand.command]]),
        (.requests, [RequestCommand.commands]),
        (.people, [MemberCommand.commands, HouseholdCommand.commands]),
        (
            .computer,
            [
                DoctorCommand.commands, StatusCommand.commands, SystemCommand.commands,
                BrowserCommand.commands,
                DesktopCommand.commands, IgnoreCommand.commands, ProtectGrammar.commands,
                ThawCommand.commands,
            ]
        ),
        (.records, [HistoryCommand.commands, DataCommand.commands, ImportGrammar.commands]),
        (.shields, [ShieldCommand.commands, NotificationCommand.commands]),
        (
            .apps,
            [
                AppInstallCommand.commands, [AppShowCommand.command], AppDeliveriesCommand.commands,
                StoreCommand.commands, [PickCommand.command], LabGrammar.commands,
            ]
        ),
        (.messages, [TraceCommand.commands, BusCommand.commands]),
        (.help, [HelpCommand.commands]),
    ]

    package static let groups: [(group: CommandGroup, commands: [Command])] = table.map { group, commands in
        (group, commands.flatMap { $0 }.map(RemoteMachine.addingOption))
    }

    package static let commands: [Command] = groups.flatMap(\.commands)

    /// The commands that help and completion show.
    package static let shown: [Command] = commands.filter { !$0.isInternal }

    /// The first words of the shown commands, without duplicates and in the order of the table.
    package static var firstWords: [String] {
        var seen: Set<String> = []
        return shown.compactMap(\.words.first).filter { seen.insert($0).inserted }
    }

    package static func command(_ words: [String]) -> Command? { commands.first { $0.words == words } }

    package static func verbs(of noun: String) -> [Command] {
        shown.filter { $0.words.count == 2 && $0.words.first == noun }
    }
}

/// The one table: every line that this version understands.
///
/// Help, completion and the parser read it and nothing else.
package enum Grammar {
    package static let commands: [Command] = [
        TodayCommand.commands,
        StatusCommand.commands,
        ReportCommand.commands,
        WhyCommand.commands,
        DoctorCommand.commands,
        RuleCommands.commands,
        [RuleDelayCommand.command],
        RequestCommands.commands,
        MemberCommands.commands,
        CategoryCommands.commands,
        StoreCommands.commands,
        AppCommands.commands,
        [AppShow.command],
        AppRunCommands.commands,
        ShieldCommands.commands,
        NotificationCommands.commands,
        [PickCommand.command],
        SimulateCommand.commands,
        TraceCommand.commands,
        BusCommands.commands,
        DataCommands.commands,
        SystemCommands.commands,
        ThawCommand.commands,
        HelpCommand.commands,
    ].flatMap { $0 }

    /// The words that may come first, in the order of the table.
    package static var firstWords: [String] {
        var seen: Set<String> = []
        return commands.compactMap(\.words.first).filter { seen.insert($0).inserted }
    }

    package static func command(_ words: [String]) -> Command? { commands.first { $0.words == words } }

    package static func verbs(of noun: String) -> [Command] {
        commands.filter { $0.words.count == 2 && $0.words.first == noun }
    }
}

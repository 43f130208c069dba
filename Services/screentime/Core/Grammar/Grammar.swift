/// The one table: every line that this version understands.
///
/// Help, completion and the parser read it and nothing else.
package enum Grammar {
    package static let commands: [Command] = [
        TodayCommand.commands,
        [SetupCommand.command],
        [ConsoleCommand.command],
        StatusCommand.commands,
        ReportCommand.commands,
        WhyCommand.commands,
        DoctorCommand.commands,
        RuleCommand.commands,
        SessionCommand.commands,
        [RuleDelayCommand.command],
        RequestCommand.commands,
        MemberCommand.commands,
        HouseholdCommand.commands,
        CategoryCommand.commands,
        BrowserCommand.commands,
        DesktopCommand.commands,
        IgnoreCommand.commands,
        StoreCommand.commands,
        AppInstallCommand.commands,
        [AppShowCommand.command],
        AppDeliveriesCommand.commands,
        ShieldCommand.commands,
        NotificationCommand.commands,
        [PickCommand.command],
        LabGrammar.commands,
        TraceCommand.commands,
        BusCommand.commands,
        HistoryCommand.commands,
        DataCommand.commands,
        ImportGrammar.commands,
        SystemCommand.commands,
        ProtectGrammar.commands,
        ThawCommand.commands,
        HelpCommand.commands,
    ].flatMap { $0 }.map(OtherMachine.able)

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

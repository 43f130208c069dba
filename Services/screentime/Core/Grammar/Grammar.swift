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
        PastCommands.commands,
        SystemCommand.commands,
        ProtectCommand.commands,
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

/// All words of the grammar that was agreed on, built or not: a command outside of it is a mistake, and a word inside
/// of it that has no command yet deserves a better answer than "unknown".
package enum AgreedGrammar {
    package static let alone = [
        "setup", "console", "status", "report", "why", "history", "doctor", "pick", "simulate", "trace",
        "thaw", "help",
        "focus", "stop",
        "grant",
    ]

    /// The small set that any noun may use.
    package static let commonVerbs = ["list", "show", "add", "edit", "remove"]

    /// Every noun with the verbs that only it has.
    package static let nouns: [String: [String]] = [
        "limit": [],
        "downtime": [],
        "window": [],
        "goal": [],
        "break": [],
        "allow": [],
        "ignore": [],
        "rule": ["pause", "delay", "except", "apply"],
        "request": ["approve", "deny", "revoke", "code", "setup"],
        "member": ["passcode", "set", "account"],
        "household": [
            "start", "invite", "join", "confirm", "phone", "teacher", "token", "enrol", "report", "renew",
            "rekey", "trust",
            "leave",
        ],
        "app": ["new", "try", "seed", "install", "log", "deliveries", "retry", "debug", "access", "enforce"],
        "category": ["set"],
        "browser": ["enable", "disable"],
        "desktop": ["enable", "disable"],
        "store": ["clear"],
        "shield": ["preview"],
        "notification": ["answer"],
        "data": ["verify", "export", "import", "rebuild", "backup", "restore", "accept-loss", "forget"],
        "import": ["activitywatch", "timekpr", "malcontent", "csv", "undo"],
        "export": ["activitywatch"],
        "bus": ["call", "listen", "describe"],
        "system": ["up", "down", "enable", "disable", "clock"],
        "protect": ["on", "off", "status", "check", "accept", "refuses", "hold", "welcome"],
    ]

    package static func contains(_ words: [String]) -> Bool {
        switch words.count {
        case 0: true
        case 1: alone.contains(words[0])
        case 2: nouns[words[0]].map { ($0 + commonVerbs).contains(words[1]) } ?? false
        default: false
        }
    }
}

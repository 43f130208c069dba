import STPlatform

/// The commands of the module STCommandProtect. Their syntax, help and completion are defined here.
enum ProtectGrammar {
    static let commands =
        [on, off, status, check, accept] + [refuses, hold, welcome].map { $0.onlyForPrograms() }

    private static let on = Command(
        ["protect", "on"],
        "Runs Screen Time for the whole computer, so that a child's account cannot undo it",
        options: [
            .init(
                "--child",
                "NAMES",
                "the children, separated by commas; NAME=ACCOUNT where they differ"
            ),
            .init(
                "--guardian",
                "NAMES",
                "the guardians, in the same way; one without an account is fine"
            ),
            .init("--other", "NAMES", "other people whose time is counted here"),
            .init(
                "--pupils",
                "GROUP",
                "each account of this group is a child here from its first login on, as in a school"
            ),
            .init(
                "--unseen",
                "count|lock",
                "what happens when a child uses a screen that nothing sees: the time counts, or the screen is locked, too"
            ),
            .init(
                "--from",
                "ACCOUNT",
                "takes over the people, rules and records of this guardian's own Screen Time",
                key: "help.--from.takes-over-the-people-rules"
            ),
            ProofPrompt.option,
        ],
        example: "screentime protect on --guardian mum --child ben"
    )

    private static let off = Command(
        ["protect", "off"],
        "Goes back to a Screen Time of each account's own; what was recorded stays",
        options: [.init("--yes", nil, "does not ask first")],
        example: "screentime protect off"
    )

    private static let status = Command(
        ["protect", "status"],
        "What is guarded on this computer, and what is missing",
        options: [.json],
        example: "screentime protect status"
    )

    private static let check = Command(
        ["protect", "check"],
        "Tries the ways of a child around Screen Time, and says which hold",
        options: [.init("--account", "NAME", "as this account; by default each child's"), .json],
        example: "screentime protect check"
    )

    private static let refuses = Command(
        ["protect", "refuses"],
        "Says whether the login refuses a child now; ends with 0 only where it does",
        subjects: [.init("ACCOUNT", "whose login; PAM says it in PAM_USER", isOptional: true)],
        example: "screentime protect refuses ben"
    )

    private static let hold = Command(
        ["protect", "hold"],
        "Holds the shielded apps of a child's account while nothing sees its screen; systemd starts it",
        example: "screentime protect hold"
    )

    private static let accept = Command(
        ["protect", "accept"],
        "Accepts a program that a child can change, so that it can have its own limits; without PATH, lists the accepted programs",
        subjects: [.init("PATH", "a program, or a folder of programs", isOptional: true)],
        options: [.init("--undo", nil, "counts the program as Unknown program again"), .json],
        example: "screentime protect accept /home/ben/.local/share/Steam"
    )

    private static let welcome = Command(
        ["protect", "welcome"],
        "Makes the account that logs in a child of this computer, where its group says so; PAM starts it",
        subjects: [.init("ACCOUNT", "whose login; PAM says it in PAM_USER", isOptional: true)],
        example: "screentime protect welcome minji"
    )
}

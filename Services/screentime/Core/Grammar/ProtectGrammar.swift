import STPlatform

/// The commands of the module STCommandProtect. Their syntax, help and completion are defined here.
enum ProtectGrammar {
    static let commands =
        [on, off, status, check, accept] + [refuses, hold, welcome].map { $0.onlyForPrograms() }

    private static let on = Command(
        ["protect", "on"],
        "Runs Screen Time for the whole computer, so that a child's account cannot disable it",
        options: [
            .init(
                "--child",
                value: "NAMES",
                summary:
                    "the children, separated by commas; write NAME=ACCOUNT if the account has another name"
            ),
            .init(
                "--guardian",
                value: "NAMES",
                summary: """
                    the guardians, separated by commas; write NAME=ACCOUNT if the account has another name; a \
                    guardian needs no account
                    """
            ),
            .init("--other", value: "NAMES", summary: "other people whose time is counted on this computer"),
            .init(
                "--pupils",
                value: "GROUP",
                summary:
                    "makes each account of this group a child at its first login, for example in a school"
            ),
            .init(
                "--unseen",
                value: "count|lock",
                summary: """
                    while Screen Time cannot see the screen that a child uses: `count` counts the time, and \
                    `lock` also locks the screen
                    """
            ),
            .init(
                "--from",
                value: "ACCOUNT",
                summary: "copies the people, rules and records from this guardian's own Screen Time",
                key: "help.--from.takes-over-the-people-rules"
            ),
            ProofPrompt.option,
        ],
        example: "screentime protect on --guardian mum --child ben"
    )

    private static let off = Command(
        ["protect", "off"],
        "Returns to a separate Screen Time for each account, and keeps the records",
        options: [.init("--yes", value: nil, summary: "does not ask for confirmation")],
        example: "screentime protect off"
    )

    private static let status = Command(
        ["protect", "status"],
        "Shows what is protected on this computer, and what is missing",
        options: [.json],
        example: "screentime protect status"
    )

    private static let check = Command(
        ["protect", "check"],
        "Tries ways in which a child could get around Screen Time, and shows which are blocked",
        options: [
            .init(
                "--account",
                value: "NAME",
                summary: "the account that makes the attempts; by default each child's account"
            ), .json,
        ],
        example: "screentime protect check"
    )

    private static let refuses = Command(
        ["protect", "refuses"],
        "Checks whether a child's login is refused now; exits with 0 only if it is",
        subjects: [.init("ACCOUNT", "the account that logs in; PAM passes it in PAM_USER", isOptional: true)],
        example: "screentime protect refuses ben"
    )

    private static let hold = Command(
        ["protect", "hold"],
        """
        Pauses a child's shielded apps while Screen Time cannot see the child's screen; systemd starts this \
        command
        """,
        example: "screentime protect hold"
    )

    private static let accept = Command(
        ["protect", "accept"],
        "Accepts a program that a child can change, so that it can have its own limits; without PATH, lists the accepted programs",
        subjects: [.init("PATH", "a program, or a folder of programs", isOptional: true)],
        options: [
            .init(
                "--undo",
                value: nil,
                summary: "removes the program from the list, so that it counts as “Unknown program” again"
            ), .json,
        ],
        example: "screentime protect accept /home/ben/.local/share/Steam"
    )

    private static let welcome = Command(
        ["protect", "welcome"],
        """
        If the account that logs in is in the pupils' group, adds it as a child of this computer; PAM starts \
        this command
        """,
        subjects: [.init("ACCOUNT", "the account that logs in; PAM passes it in PAM_USER", isOptional: true)],
        example: "screentime protect welcome minji"
    )
}

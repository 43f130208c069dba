import STPlatform

/// The commands of the module STCommandImport. Their syntax, help and completion are defined here.
enum ImportGrammar {
    static let commands = [activityWatch, timekpr, malcontent, csv, undo, export]

    private static let activityWatch = Command(
        ["import", "activitywatch"],
        "Brings in what ActivityWatch has recorded: apps, absence and sites, joined as ActivityWatch does it",
        subjects: [
            .init(
                .file,
                "what its page writes by Raw Data, Export all buckets; without it the server is asked",
                isOptional: true
            )
        ],
        options: [
            .init("--server", .address, "where ActivityWatch runs; http://127.0.0.1:5600 by default"),
            .init("--here", "NAME", "this computer was called NAME then, so that its past belongs here"),
        ] + options,
        example: "screentime import activitywatch --dry-run"
    )

    private static let timekpr = Command(
        ["import", "timekpr"],
        "Makes rules of timekpr's limits, and history of the day that it saw last",
        subjects: [
            .init("USER", "the account, as timekpr knows it; by default your own", isOptional: true)
        ],
        options: [
            .init("--folder", .folder, "where its folders config and work are; /var/lib/timekpr by default")
        ] + options,
        example: "screentime import timekpr anna --member anna --dry-run"
    )

    private static let malcontent = Command(
        ["import", "malcontent"],
        "Makes rules of GNOME's own limits, and history of the times that its Shell has kept",
        subjects: [
            .init(
                "USER",
                "the account; by default your own",
                key: "help.arg-user.the-account-by-default-your",
                isOptional: true
            )
        ],
        options: [
            .init(
                "--folder",
                .folder,
                "where copies of its files are, from another computer",
                key: "help.--folder.where-copies-of-its-files"
            )
        ] + options,
        example: "screentime import malcontent --dry-run"
    )

    private static let csv = Command(
        ["import", "csv"],
        "Brings in a table of times with a line of names at its head, from any program",
        subjects: [
            .init(
                .file,
                "the table; columns are parted by commas, semicolons or tabs",
                key: "help.arg-file.the-table-columns-are-parted"
            )
        ],
        options: [
            .init(
                "--start",
                "COLUMN",
                "when each stretch begins; found by itself where it is called start, begin or from"
            ),
            .init("--end", "COLUMN", "when it ends: end, until or to"),
            .init("--length", "COLUMN", "how long it is, in place of --end: duration, length or seconds"),
            .init("--app", "COLUMN", "what was used: app, application or program"),
            .init("--site", "COLUMN", "the site: site, domain or url"),
        ] + options,
        example: "screentime import csv hours.csv --start Begin --length Minutes --dry-run"
    )

    private static let undo = Command(
        ["import", "undo"],
        "Takes back what an import brought, and nothing else",
        subjects: [.init("NAME", "as the import said it; by default the last one", isOptional: true)],
        options: [ProofPrompt.option, .json],
        example: "screentime import undo"
    )

    private static let export = Command(
        ["export", "activitywatch"],
        "Writes what was recorded here as an export of ActivityWatch, which it and others can bring in",
        subjects: [
            .init(
                .file,
                "where to write; never replaces a file",
                key: "help.arg-file.where-to-write-never-replaces"
            )
        ],
        options: [
            .init("--member", "NAME", "whose past it is; by default the owner of this account"), .json,
        ],
        example: "screentime export activitywatch ~/activitywatch.json"
    )

    /// Listed with the other commands of `data`.
    static let data = Command(
        ["data", "import"],
        "Brings back what `data export` wrote; what is already here stays as it is",
        subjects: [
            .init(.file, "a file that `data export` wrote", key: "help.arg-file.a-file-that-data-export")
        ],
        options: [
            .init(
                "--here",
                nil,
                "the file comes from this computer, from before it was set up again",
                key: "help.--here.the-file-comes-from-this"
            ),
            .init("--dry-run", nil, "only says what would happen"),
            ProofPrompt.option, .json,
        ],
        example: "screentime data import ~/screentime.jsonl --dry-run"
    )

    private static let options: [Command.Option] = [
        .init("--member", "NAME", "whose past it is; by default the owner of this account"),
        .init("--dry-run", nil, "only says what would happen"),
        ProofPrompt.option, .json,
    ]
}

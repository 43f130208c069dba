import STPlatform

/// The commands of the module STCommandImport. Their syntax, help and completion are defined here.
enum ImportGrammar {
    static let commands = [activityWatch, timekpr, malcontent, csv, undo, export]

    private static let activityWatch = Command(
        ["import", "activitywatch"],
        "Imports ActivityWatch records: apps, idle time and sites, combined in the same way as in ActivityWatch",
        subjects: [
            .init(
                .file,
                """
                a file from Export all buckets on ActivityWatch's Raw Data page; without a file, reads from \
                the server
                """,
                isOptional: true
            )
        ],
        options: [
            .init(
                "--server",
                place: .address,
                summary: "address of the ActivityWatch server; http://127.0.0.1:5600 by default"
            ),
            .init(
                "--here",
                value: "NAME",
                summary: """
                    a former name of this computer; the records of the ActivityWatch host NAME are imported as \
                    this computer's
                    """
            ),
        ] + options,
        example: "screentime import activitywatch --dry-run"
    )

    private static let timekpr = Command(
        ["import", "timekpr"],
        "Creates rules from timekpr's limits, and usage from the last day that timekpr recorded",
        subjects: [
            .init("USER", "name of the account in timekpr; by default your own", isOptional: true)
        ],
        options: [
            .init(
                "--folder",
                place: .folder,
                summary: "folder that contains timekpr's folders config and work; /var/lib/timekpr by default"
            )
        ] + options,
        example: "screentime import timekpr anna --member anna --dry-run"
    )

    private static let malcontent = Command(
        ["import", "malcontent"],
        "Creates rules from GNOME's own limits, and usage from the times that GNOME Shell recorded",
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
                place: .folder,
                summary: "folder with copies of GNOME's files from another computer",
                key: "help.--folder.where-copies-of-its-files"
            )
        ] + options,
        example: "screentime import malcontent --dry-run"
    )

    private static let csv = Command(
        ["import", "csv"],
        "Imports a table of usage times from any program; the first line names the columns",
        subjects: [
            .init(
                .file,
                "the table; columns are separated by commas, semicolons or tabs",
                key: "help.arg-file.the-table-columns-are-parted"
            )
        ],
        options: [
            .init(
                "--start",
                value: "COLUMN",
                summary: "column of the start time; by default the one called start, begin or from"
            ),
            .init(
                "--end",
                value: "COLUMN",
                summary: "column of the end time; by default the one called end, until or to"
            ),
            .init(
                "--length",
                value: "COLUMN",
                summary:
                    "column of the length, instead of --end; by default the one called duration, length or seconds"
            ),
            .init(
                "--app",
                value: "COLUMN",
                summary: "column of the app; by default the one called app, application or program"
            ),
            .init(
                "--site",
                value: "COLUMN",
                summary: "column of the site; by default the one called site, domain or url"
            ),
        ] + options,
        example: "screentime import csv hours.csv --start Begin --length Minutes --dry-run"
    )

    private static let undo = Command(
        ["import", "undo"],
        "Undoes one import, and changes nothing else",
        subjects: [
            .init(
                "NAME",
                "name of the import, as the import printed it; by default the last import",
                isOptional: true
            )
        ],
        options: [ProofPrompt.option, .json],
        example: "screentime import undo"
    )

    private static let export = Command(
        ["export", "activitywatch"],
        "Writes the recorded usage as an ActivityWatch export, which ActivityWatch and other programs can import",
        subjects: [
            .init(
                .file,
                "the file to write; an existing file is never replaced",
                key: "help.arg-file.where-to-write-never-replaces"
            )
        ],
        options: [
            .init(
                "--member",
                value: "NAME",
                summary: "the person whose usage it is; by default the owner of this account"
            ),
            .json,
        ],
        example: "screentime export activitywatch ~/activitywatch.json"
    )

    /// This command is listed with the other commands of `data`.
    static let data = Command(
        ["data", "import"],
        "Imports a file that `data export` wrote; existing data stays as it is",
        subjects: [
            .init(.file, "a file that `data export` wrote", key: "help.arg-file.a-file-that-data-export")
        ],
        options: [
            .init(
                "--here",
                value: nil,
                summary: "the file was exported from this computer before it was set up again",
                key: "help.--here.the-file-comes-from-this"
            ),
            .init("--dry-run", value: nil, summary: "only shows what would happen"),
            ProofPrompt.option, .json,
        ],
        example: "screentime data import ~/screentime.jsonl --dry-run"
    )

    private static let options: [Command.Option] = [
        .init(
            "--member",
            value: "NAME",
            summary: "the person whose usage it is; by default the owner of this account"
        ),
        .init("--dry-run", value: nil, summary: "only shows what would happen"),
        ProofPrompt.option, .json,
    ]
}

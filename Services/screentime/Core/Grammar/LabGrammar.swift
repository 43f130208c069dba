import STPlatform

/// The commands of the developer kit, with their syntax, help and completion. The program screentime-lab performs them.
package enum LabGrammar {
    package static let program = "screentime-lab"

    package static let commands = [new, tryOut, seed, simulate]

    private static let new = Command(
        ["app", "new"],
        "Makes a Swift package that builds the Screen Time extensions of a project, without changing the project",
        subjects: [
            .init(
                "NAME",
                "name of a new project to create in the current folder",
                key: "help.arg-name.name-of-a-new-project",
                isOptional: true
            )
        ],
        options: [
            .init(
                "--from",
                value: "PROJECT",
                summary: "folder of the project: Xcode, XcodeGen, Tuist, Expo or a Swift package"
            ),
            .init(
                "--stub",
                value: "PACKAGES",
                summary:
                    "replaces external packages, such as Firebase, with stubs that compile and do nothing"
            ),
            .init(
                "--to",
                place: .folder,
                summary: "folder of the new package; by default beside the project"
            ),
            .init(
                "--monitor",
                value: nil,
                summary:
                    "adds a monitor to a new project; without --monitor, --shield and --report, adds all three"
            ),
            .init("--shield", value: nil, summary: "adds a shield and its buttons to a new project"),
            .init("--report", value: nil, summary: "adds a report to a new project"),
            .json,
        ],
        example: "screentime app new --from ~/Focus",
        program: program
    )

    private static let tryOut = Command(
        ["app", "try"],
        """
        Runs an app through a week of virtual time, and shows callbacks, logs, notifications, shields and \
        reports
        """,
        subjects: [
            .init("APP", "an installed app, a folder that `app new` made, or a bundle such as ./Promise")
        ],
        options: [
            .init(
                "--html",
                place: .file,
                summary: "writes the week as one HTML page with pictures; - for standard output"
            ),
            .init(
                "--expect",
                place: .file,
                summary: "an earlier timeline that this command printed; any difference is an error"
            ),
            .init(
                "--junit",
                place: .file,
                summary: "writes the results as JUnit XML, for programs that run tests"
            ),
            .init(
                "--as-phone",
                value: nil,
                summary: "behaves as strictly as a phone, where the default is more lenient"
            ),
            fault,
            .init(
                "--watch",
                value: nil,
                summary: "rebuilds and replays the week when a project file changes"
            ),
            .json,
        ],
        example: "screentime app try ./Focus-screentime --html week.html",
        program: program
    )

    private static let seed = Command(
        ["app", "seed"],
        "Writes the user defaults that the app would store in its app groups before its extensions run",
        subjects: [.init("APP", "an installed app", key: "help.arg-app.an-installed-app")],
        options: [
            .init(
                "--from",
                place: .file,
                summary:
                    "a week.json, or {\"group.app\": {\"minutes\": 30}}; by default the week.json beside the app's bundle",
                key: "help.--from.a-week-json-or-group"
            ),
            .init("--replace", value: nil, summary: "replaces the defaults that a group already has"), .json,
        ],
        example: "screentime app seed dev.example.focus",
        program: program
    )

    private static let simulate = Command(
        ["simulate"],
        "Runs a scenario in virtual time and compares the outcome with the expected outcome",
        subjects: [
            .init(.file, "the scenario, as JSON", key: "help.arg-file.the-scenario-as-json", isOptional: true)
        ],
        options: [
            .init(
                "--in-process",
                value: nil,
                summary: "runs in one process: supports only built-in rules, but simulates a year in seconds"
            ),
            .init(
                "--as-phone",
                value: nil,
                summary: "behaves as strictly as a phone, where the default is more lenient"
            ),
            fault,
            .init("--example", value: nil, summary: "prints a scenario to start from"),
            .init("--schema", value: nil, summary: "prints the JSON Schema of a scenario, for editors"),
            .json,
        ],
        example: "screentime simulate day.json --as-phone",
        program: program
    )

    private static let fault = Command.Option(
        "--fault",
        value: "NAMES",
        summary: "behaves like a phone with these faults, such as missed-start,changed-tokens"
    )
}

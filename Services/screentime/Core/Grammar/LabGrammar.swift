/// Commands of the developer kit. The program screentime-lab performs them; their words, help and completion are here.
package enum LabGrammar {
    package static let program = "screentime-lab"

    package static let commands = [new, tryOut, seed, simulate]

    private static let new = Command(
        ["app", "new"],
        "Makes a Swift package that builds the Screen Time extensions of a project, without changing the project",
        subjects: [.init("NAME", "of a new project, which is made here first", isOptional: true)],
        options: [
            .init(
                "--from",
                "PROJECT",
                "the folder with the project: of Xcode, XcodeGen, Tuist, Expo, or a Swift package"
            ),
            .init(
                "--stub",
                "PACKAGES",
                "for packages from elsewhere, such as Firebase: something that compiles and does nothing takes their place"
            ),
            .init("--to", "FOLDER", "where the package goes; by default beside the project"),
            .init("--monitor", nil, "a new project has a monitor; without such words it has all"),
            .init("--shield", nil, "a new project has a shield and its buttons"),
            .init("--report", nil, "a new project has a report"),
            .json,
        ],
        example: "screentime app new --from ~/Focus",
        program: program
    )

    private static let tryOut = Command(
        ["app", "try"],
        "Plays a week of an app in virtual time: callbacks, logs, notifications, shields and reports",
        subjects: [
            .init("APP", "an installed app, or a folder: of `app new`, or a bundle such as ./Promise")
        ],
        options: [
            .init("--html", "FILE", "all of it as one page with pictures; - for standard output"),
            .init(
                "--expect",
                "FILE",
                "a timeline that this command printed; a line that differs now is an error"
            ),
            .init("--junit", "FILE", "what was met and what was not, for programs that run tests"),
            .init("--as-phone", nil, "behaves like a phone where the default here is kinder"),
            fault,
            .init("--watch", nil, "builds and plays again when a file of the project changes"),
            .json,
        ],
        example: "screentime app try ./Focus-screentime --html week.html",
        program: program
    )

    private static let seed = Command(
        ["app", "seed"],
        "Puts what the app itself would have left there into the defaults of its groups, before its extensions run",
        subjects: [.init("APP", "an installed app")],
        options: [
            .init(
                "--from",
                "FILE",
                "a week.json, or {\"group.app\": {\"minutes\": 30}}; by default the week.json beside the app's bundle"
            ),
            .init("--replace", nil, "takes the place of what a group has already"), .json,
        ],
        example: "screentime app seed dev.example.focus",
        program: program
    )

    private static let simulate = Command(
        ["simulate"],
        "Plays a scenario in virtual time and compares the outcome with what it expects",
        subjects: [.init("FILE", "the scenario, as JSON", isOptional: true)],
        options: [
            .init(
                "--in-process",
                nil,
                "without processes of its own: built-in rules only, but a year in seconds"
            ),
            .init("--as-phone", nil, "behaves like a phone where the default here is kinder"),
            fault,
            .init("--example", nil, "prints a scenario to start from"),
            .init("--schema", nil, "prints the JSON Schema of a scenario, for editors"),
            .json,
        ],
        example: "screentime simulate day.json --as-phone",
        program: program
    )

    private static let fault = Command.Option(
        "--fault",
        "NAMES",
        "behaves like a phone with these faults, such as missed-start,changed-tokens"
    )
}

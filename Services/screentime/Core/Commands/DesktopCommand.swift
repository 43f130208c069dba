import STContracts
import STPlatform

/// `screentime desktop …`: enables desktops that hide their windows to report them to Screen Time.
package enum DesktopCommand {
    private static let desktop = Command.Subject("DESKTOP", "the desktop: gnome or kde")
    package static let uuid = "screentime@screentime.dev"
    /// The folder in which the package installs the extension for every account.
    private static let systemFolder = "/usr/share/gnome-shell/extensions/\(uuid)"
    private static let timeout: Duration = .seconds(30)

    static let commands: [Command] = [
        Command(
            ["desktop", "enable"],
            "Enables Screen Time to see and shield the windows of GNOME Shell, from your next login",
            subjects: [desktop],
            example: "screentime desktop enable gnome"
        ) { try enable($0) },
        Command(
            ["desktop", "disable"],
            "Removes the Screen Time extension from GNOME Shell",
            subjects: [desktop],
            example: "screentime desktop disable gnome"
        ) { try disable($0) },
    ]

    private static func enable(_ invocation: Invocation) throws -> ExitCode {
        if invocation.subjects[0] == "kde" { return needsNothing(invocation) }
        try check(invocation)
        // "GNOME Shell 43.9"
        let words = try run("gnome-shell", words: ["--version"], invocation: invocation).split(separator: " ")
        guard let version = words.last(where: { $0.first?.isNumber == true }) else {
            throw Problem(
                "desktop.unknown_version",
                "The output of gnome-shell --version contains no version number."
            )
        }
        let binaries = try SystemPlaces(invocation).binaries
        let folder = try folder(invocation)
        if binaries == UserUnits.shippedBinaries, FileTree.exists(systemFolder) {
            // A copy in the home directory would take precedence, and would not be updated with the package.
            try DirectoryTree.remove(folder)
        } else {
            _ = try run(
                binaries + "/desktop-agent",
                words: ["--unpack-gnome", folder, String(version)],
                invocation: invocation
            )
        }
        let before = try enabledExtensions(invocation)
        if !before.contains(uuid) { try setEnabledExtensions(before + [uuid], invocation) }
        var lines = [
            Speech.say(
                "desktop.from-your-next-login",
                """
                From your next login, Screen Time sees which window of GNOME Shell \(version, "version") is \
                in the foreground, and can cover it. It never sees the window's title.
                """
            ),
            Speech.say("desktop.log-out-and-in", "Log out and in again."),
        ]
        let isOff = try run(
            "gsettings",
            words: ["get", "org.gnome.shell", "disable-user-extensions"],
            invocation: invocation
        )
        if isOff.hasPrefix("true") {
            lines.append(
                Speech.say(
                    "desktop.gnomes-extensions-are-all",
                    "All GNOME extensions are switched off in this account. To switch them on: "
                ) + "gsettings set org.gnome.shell disable-user-extensions false"
            )
        }
        invocation.terminal.write(wrapping: lines)
        return .done
    }

    private static func disable(_ invocation: Invocation) throws -> ExitCode {
        if invocation.subjects[0] == "kde" { return needsNothing(invocation) }
        try check(invocation)
        let folder = try folder(invocation)
        let before = try enabledExtensions(invocation)
        guard before.contains(uuid) || FileTree.exists(folder) else {
            throw Problem(
                "desktop.not_enabled",
                "The Screen Time extension is not in GNOME Shell, so there is nothing to remove.",
                help: "screentime doctor"
            )
        }
        try setEnabledExtensions(before.filter { $0 != uuid }, invocation)
        try DirectoryTree.remove(folder)
        invocation.terminal.write(
            Speech.say(
                "desktop.screen-time-no-longer",
                "Screen Time no longer sees the windows of GNOME Shell. Usage that is already counted stays."
            )
        )
        return .done
    }

    private static func needsNothing(_ invocation: Invocation) -> ExitCode {
        invocation.terminal.write(
            Speech.say(
                "desktop.kde-needs-nothing-switched",
                """
                On KDE, there is nothing to switch on: KWin runs the Screen Time script while Screen Time is \
                running.
                """
            )
        )
        return .done
    }

    private static func check(_ invocation: Invocation) throws(Problem) {
        let name = invocation.subjects[0]
        guard name == "gnome" else {
            throw Problem(
                "usage.unknown_desktop",
                """
                “\(DisplayWidth.sanitized(name), "name")” is not a supported desktop. Supported desktops: \
                gnome, kde.
                """,
                help: "screentime doctor",
                details: ProblemText.retyping(name, TextFormat.closest(to: name, in: ["gnome", "kde"]))
            )
        }
    }

    // MARK: - State of the account

    private static func folder(_ invocation: Invocation) throws(Problem) -> String {
        let data = invocation.environment["XDG_DATA_HOME"] ?? ""
        guard let home = invocation.environment["HOME"], home.hasPrefix("/") else {
            throw Problem(
                "path.no_home",
                "HOME is not set, so the folder of your extensions is not known. Set HOME and try again."
            )
        }
        return (data.hasPrefix("/") ? data : home + "/.local/share") + "/gnome-shell/extensions/\(uuid)"
    }

    /// Returns the enabled extensions. GNOME writes them as `['one@example.org', 'two@example.org']` or `@as []`.
    private static func enabledExtensions(_ invocation: Invocation) throws -> [String] {
        names(
            in: try run(
                "gsettings",
                words: ["get", "org.gnome.shell", "enabled-extensions"],
                invocation: invocation
            )
        )
    }

    package static func names(in text: String) -> [String] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    private static func setEnabledExtensions(_ names: [String], _ invocation: Invocation) throws {
        let list = "[" + names.map { "'\($0)'" }.joined(separator: ", ") + "]"
        _ = try run(
            "gsettings",
            words: ["set", "org.gnome.shell", "enabled-extensions", list],
            invocation: invocation
        )
    }

    private static func run(_ name: String, words: [String], invocation: Invocation) throws -> String {
        guard let program = ProgramRun.path(of: name, environment: invocation.environment) else {
            throw Problem(
                "desktop.not_gnome",
                "This computer does not have GNOME: the program \(name, "name") is missing.",
                help: "screentime doctor"
            )
        }
        let run = try ProgramRun.run(program, words, environment: invocation.environment, timeout: timeout)
        guard run.status == .exited(0) else {
            throw Problem(
                "desktop.failed",
                "\(name, "name") failed: \(DisplayWidth.sanitized(String(run.output.prefix(300))), "output")",
                retryable: true
            )
        }
        return run.output
    }
}

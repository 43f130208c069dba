import Glibc
import STContracts
import STPlatform

/// `screentime browser …`: enables browsers to report the foreground site.
enum BrowserCommand {
    private static let browser = Command.Subject("BROWSER", "a browser from `browser list`, such as chromium")
    private static let unsigned = Command.Option(
        "--unsigned",
        value: nil,
        summary:
            "allows Debian's Firefox to use add-ons that Mozilla has not signed; the Screen Time add-on is not signed yet"
    )

    static let commands: [Command] = [
        Command(
            ["browser", "list"],
            "Lists the browsers on this computer, and which of them report the foreground site",
            options: [.json],
            example: "screentime browser list"
        ) { try await list($0) },
        Command(
            ["browser", "enable"],
            "Makes a browser report the foreground site in your account, from its next start",
            subjects: [browser],
            options: [unsigned],
            example: "screentime browser enable chromium"
        ) { try await enable($0) },
        Command(
            ["browser", "disable"],
            "Stops a browser from reporting sites, from its next start",
            subjects: [browser],
            example: "screentime browser disable chromium"
        ) { try disable($0) },
    ]

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let parts = try BrowserIntegration(invocation)
        let found = Browser.all.compactMap { browser in
            (parts.program(of: browser) ?? parts.unreachable(browser)?.english).map { (browser, $0) }
        }
        let json = found.map { browser, program -> JSONValue in
            [
                "browser": .string(browser.id), "program": .string(program),
                "enabled": .bool(parts.isEnabled(browser)),
            ]
        }
        return invocation.show(json: JSONOutput.pretty(["browsers": .array(json)])) {
            guard !found.isEmpty else {
                return [
                    Speech.say(
                        "browser.no-browser-that-screen",
                        "No supported browser was found. Supported browsers: "
                    )
                        + Browser.all.map(\.name).joined(separator: ", ") + "."
                ]
            }
            let off = found.map(\.0).first {
                (!parts.isEnabled($0) || parts.isOld($0)) && parts.program(of: $0) != nil
            }
            return found.map { browser, _ in
                let state =
                    if parts.program(of: browser) == nil, let reason = parts.unreachable(browser) {
                        Speech.say("browser.cannot-say-it", "cannot report sites: ") + Speech.say(reason)
                    } else if parts.isOld(browser) {
                        Speech.say(
                            "browser.has-the-extension-of",
                            "has the extension of another version of Screen Time"
                        )
                    } else if parts.isEnabled(browser) {
                        Speech.say("browser.says-which-site-is", "reports the foreground site")
                    } else {
                        Speech.say("browser.counts-as-an-app", "counted as an app; does not report sites")
                    }
                return "  \(browser.name)  \(state)"
            }
                + (off.map {
                    [
                        Speech.say("browser.try", "  try: ")
                            + ProblemText.asTyped("screentime browser enable \($0.id)")
                    ]
                } ?? [])
        }
    }

    private static func enable(_ invocation: Invocation) async throws -> ExitCode {
        let browser = try named(invocation.subjects[0])
        let parts = try BrowserIntegration(invocation)
        guard let program = parts.program(of: browser) else {
            let list = browser.programs.joined(separator: ", ")
            throw Problem(
                "browser.not_found",
                text: parts.unreachable(browser).map {
                    Message(
                        "browser.not_found.cannot-say",
                        "\(browser.name, "browser") cannot report the foreground site: \($0, "reason")."
                    )
                }
                    ?? Message(
                        "browser.not_found",
                        "\(browser.name, "browser") is not installed: none of \(list, "programs") is in PATH."
                    ),
                help: "screentime browser list"
            )
        }
        if browser.family == .firefox {
            guard program.hasSuffix("/firefox-esr") else {
                throw Problem(
                    "browser.signed_only",
                    """
                    This Firefox accepts only add-ons that Mozilla has signed, and the Screen Time add-on is \
                    not signed yet. Debian's firefox-esr and Chromium accept it.
                    """,
                    help: "screentime browser list"
                )
            }
            guard invocation.has("--unsigned") else {
                throw Problem(
                    "browser.unsigned",
                    """
                    Mozilla has not signed the Screen Time add-on yet. Debian's Firefox can use it only if \
                    you allow all unsigned add-ons from now on. To allow them, add --unsigned.
                    """,
                    help: "--unsigned"
                )
            }
        }
        let terminal = invocation.terminal
        try SourceTree.build(["browser-host"], in: SystemPlaces(invocation).binaries, terminal)
        try parts.enable(browser, program: program)
        terminal.write(
            wrapping: [
                Speech.say(
                    "browser.from-its-next-start",
                    """
                    From its next start, \(browser.name, "name") reports only the name of the foreground \
                    site, such as example.com. It never reports pages, titles or private windows. Shields \
                    then cover shielded sites in \(browser.name, "name").
                    """
                ),
                Speech.say(
                    "browser.close-and-start-it",
                    "Close \(browser.name, "name") and start it again."
                ),
            ]
        )
        return .done
    }

    private static func disable(_ invocation: Invocation) throws -> ExitCode {
        let browser = try named(invocation.subjects[0])
        let parts = try BrowserIntegration(invocation)
        guard parts.isEnabled(browser) else {
            throw Problem(
                "browser.not_enabled",
                "\(browser.name, "name") does not report sites, so there is nothing to disable.",
                help: "screentime browser list"
            )
        }
        try parts.disable(browser)
        invocation.terminal.write(
            Speech.say(
                "browser.from-its-next-start-on",
                """
                From its next start, \(browser.name, "name") counts only as an app. Usage that is already \
                counted stays.
                """
            )
        )
        return .done
    }

    private static func named(_ text: String) throws(Problem) -> Browser {
        if let browser = Browser.all.first(where: { $0.id == text || $0.programs.contains(text) }) {
            return browser
        }
        let known = Browser.all.map(\.id)
        let meant = TextFormat.closest(to: text, in: known)
        let list = known.joined(separator: ", ")
        throw Problem(
            "usage.unknown_browser",
            """
            “\(text.sanitized, "name")” is not a supported browser. Browsers that can report the foreground \
            site: \(list, "browsers").
            """,
            help: "screentime browser list",
            details: ProblemText.retyping(text, meant)
        )
    }
}

import Glibc
import STContracts
import STPlatform

/// `screentime browser …`: which browsers say what site is in front.
enum BrowserCommand {
    private static let browser = Command.Subject("BROWSER", "one of `browser list`, such as chromium")
    private static let unsigned = Command.Option(
        "--unsigned",
        nil,
        "lets Debian's Firefox take add-ons that Mozilla has not signed, as ours is not yet"
    )

    static let commands: [Command] = [
        Command(
            ["browser", "list"],
            "The browsers of this computer, and which of them say what site is in front",
            options: [.json],
            example: "screentime browser list"
        ) { try await list($0) },
        Command(
            ["browser", "enable"],
            "Has a browser say which site is in front, in your account, from its next start on",
            subjects: [browser],
            options: [unsigned],
            example: "screentime browser enable chromium"
        ) { try await enable($0) },
        Command(
            ["browser", "disable"],
            "Has a browser say nothing of sites, from its next start on",
            subjects: [browser],
            example: "screentime browser disable chromium"
        ) { try disable($0) },
    ]

    private static func list(_ invocation: Invocation) async throws -> ExitCode {
        let parts = try BrowserParts(invocation)
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
                        "No browser that Screen Time knows was found: "
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
                        Speech.say("browser.cannot-say-it", "cannot say it: ") + Speech.say(reason)
                    } else if parts.isOld(browser) {
                        Speech.say("browser.has-the-extension-of", "has the extension of another version")
                    } else if parts.isEnabled(browser) {
                        Speech.say("browser.says-which-site-is", "says which site is in front")
                    } else {
                        Speech.say("browser.counts-as-an-app", "counts as an app alone")
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
        let parts = try BrowserParts(invocation)
        guard let program = parts.program(of: browser) else {
            let list = browser.programs.joined(separator: ", ")
            throw Problem(
                "browser.not_found",
                text: parts.unreachable(browser).map {
                    Message(
                        "browser.not_found.cannot-say",
                        "\(browser.name, "browser") cannot say which site is in front: \($0, "reason")."
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
                    This Firefox takes only add-ons that Mozilla has signed, and ours is not signed yet. \
                    Debian's firefox-esr and Chromium take it.
                    """,
                    help: "screentime browser list"
                )
            }
            guard invocation.has("--unsigned") else {
                throw Problem(
                    "browser.unsigned",
                    """
                    Mozilla has not signed our add-on yet. Debian's Firefox takes it all the same, if it \
                    may take any add-on without a signature from now on. Say so if you want that.
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
                    From its next start on, \(browser.name, "name") says which site is in front: its name \
                    alone, such as example.com, and no page, no title, no private window. Sites that are \
                    shielded are covered there.
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
        let parts = try BrowserParts(invocation)
        guard parts.isEnabled(browser) else {
            throw Problem(
                "browser.not_enabled",
                "\(browser.name, "name") says nothing of sites as it is.",
                help: "screentime browser list"
            )
        }
        try parts.disable(browser)
        invocation.terminal.write(
            Speech.say(
                "browser.from-its-next-start-on",
                "From its next start on, \(browser.name, "name") counts as an app alone. What was counted stays."
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
            There is no browser “\(text.harmless, "name")” here that could say which site is in front. It can \
            be: \(list, "browsers").
            """,
            help: "screentime browser list",
            details: ProblemText.retyping(text, meant)
        )
    }
}

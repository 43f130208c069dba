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
            (parts.program(of: browser) ?? parts.unreachable(browser)).map { (browser, $0) }
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
                    Speech.say("No browser that Screen Time knows was found: ", "스크린 타임이 아는 브라우저가 없습니다: ")
                        + Browser.all.map(\.name).joined(separator: ", ") + "."
                ]
            }
            let off = found.map(\.0).first {
                (!parts.isEnabled($0) || parts.isOld($0)) && parts.program(of: $0) != nil
            }
            return found.map { browser, program in
                let state =
                    parts.program(of: browser) == nil
                    ? Speech.say("cannot say it: ", "알려 줄 수 없음: ") + Speech.told(program)
                    : parts.isOld(browser)
                        ? Speech.say("has the extension of another version", "다른 버전의 확장 기능이 있음")
                        : parts.isEnabled(browser)
                            ? Speech.say("says which site is in front", "앞에 있는 사이트를 알려 줌")
                            : Speech.say("counts as an app alone", "앱으로만 셈")
                return "  \(browser.name)  \(state)"
            }
                + (off.map {
                    [
                        Speech.say("  try: ", "  해 보세요: ")
                            + ProblemText.asTyped("screentime browser enable \($0.id)")
                    ]
                } ?? [])
        }
    }

    private static func enable(_ invocation: Invocation) async throws -> ExitCode {
        let browser = try named(invocation.subjects[0])
        let parts = try BrowserParts(invocation)
        guard let program = parts.program(of: browser) else {
            throw Problem(
                "browser.not_found",
                parts.unreachable(browser).map { "\(browser.name) cannot say which site is in front: \($0)." }
                    ?? "\(browser.name) is not installed: none of \(browser.programs.joined(separator: ", ")) is in PATH.",
                help: "screentime browser list"
            )
        }
        if browser.family == .firefox {
            guard program.hasSuffix("/firefox-esr") else {
                throw Problem(
                    "browser.signed_only",
                    "This Firefox takes only add-ons that Mozilla has signed, and ours is not signed yet. Debian's "
                        + "firefox-esr and Chromium take it.",
                    help: "screentime browser list"
                )
            }
            guard invocation.has("--unsigned") else {
                throw Problem(
                    "browser.unsigned",
                    "Mozilla has not signed our add-on yet. Debian's Firefox takes it all the same, if it may take any "
                        + "add-on without a signature from now on. Say so if you want that.",
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
                    "From its next start on, \(browser.name) says which site is in front: its name alone, such as "
                        + "example.com, and no page, no title, no private window. Sites that are shielded are covered there.",
                    "다음에 시작할 때부터 \(browser.name)이(가) 앞에 있는 사이트를 알려 줍니다. example.com 같은 이름뿐이고, 페이지나 제목은 아니며, "
                        + "시크릿 창은 알려 주지 않습니다. 차단된 사이트는 거기서 가려집니다."
                ),
                Speech.say(
                    "Close \(browser.name) and start it again.",
                    "\(browser.name)을(를) 닫았다가 다시 시작하세요."
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
                "\(browser.name) says nothing of sites as it is.",
                help: "screentime browser list"
            )
        }
        try parts.disable(browser)
        invocation.terminal.write(
            Speech.say(
                "From its next start on, \(browser.name) counts as an app alone. What was counted stays.",
                "다음에 시작할 때부터 \(browser.name)은(는) 앱으로만 셉니다. 지금까지 센 것은 그대로 남습니다."
            )
        )
        return .done
    }

    private static func named(_ text: String) throws(Problem) -> Browser {
        if let browser = Browser.all.first(where: { $0.id == text || $0.programs.contains(text) }) {
            return browser
        }
        let meant = TextFormat.closest(to: text, in: Browser.all.map(\.id))
        throw Problem(
            "usage.unknown_browser",
            "There is no browser “\(DisplayWidth.harmless(text))” here that could say which site is in front. It can be: "
                + Browser.all.map(\.id).joined(separator: ", ") + ".",
            help: "screentime browser list",
            details: ProblemText.retyping(text, meant)
        )
    }
}

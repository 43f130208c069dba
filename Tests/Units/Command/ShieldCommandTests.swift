import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("shield preview and shield list", .timeLimit(.minutes(5)))
struct ShieldCommandTests {
    private static let look = ShieldAppearance(
        icon: ShieldIcon(kind: .system, name: "moon.fill"),
        title: text("오늘은 여기까지"),
        subtitle: text(
            "Thirty minutes are used up. \u{1B}[31mAll of them, until midnight, and not a minute before."
        ),
        primary: text("확인"),
        secondary: text("Ask for more"),
        submenu: ["15 minutes", "One hour"]
    )

    private static func text(_ text: String) -> ShieldText {
        ShieldText(text: text, color: ShieldColor(light: "#000000FF", dark: "#FFFFFFFF"))
    }

    private static func reply(
        isShielded: Bool = true,
        problem: Problem? = nil,
        missing: String? = nil
    ) -> ShieldConfigurationAsk.Reply {
        .init(
            decision: ShieldDecisionBody(
                isShielded: isShielded,
                causes: [],
                isAlwaysAllowed: false,
                grant: nil
            ),
            view: ShieldAppearanceView(
                look: look,
                source: .app,
                app: "barebones",
                problem: problem,
                missing: missing
            )
        )
    }

    /// Runs a line against a shield-service that answers so; also gives what it was asked.
    private func run(
        _ line: [String],
        _ answer: @escaping @Sendable (_ route: String, _ body: [UInt8]) throws -> [UInt8]
    ) async throws -> (ExitCode, CommandOutput, [(route: String, body: [UInt8])]) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let asked = Asked()
        let service = try FakeService(.shield) { route, body in
            asked.add(route, body)
            return try answer(route, body)
        }
        try await service.start(Directories(run: scratch.path, state: scratch.path, config: scratch.path))
        let (code, output) = await CommandOutput.run(["shield"] + line, in: scratch.path)
        await service.stop()
        return (code, output, asked.all)
    }

    private final class Asked: Sendable {
        private let requests = Mutex<[(route: String, body: [UInt8])]>([])
        var all: [(route: String, body: [UInt8])] { requests.withLock { $0 } }
        func add(_ route: String, _ body: [UInt8]) { requests.withLock { $0.append((route, body)) } }
    }

    @Test("`shield preview` prints the texts and buttons of a shield in lines of equal width")
    func card() async throws {
        let (code, output, asked) = try await run([
            "preview", "firefox", "--language", "ko", "--app", "barebones",
        ]) { _, _ in
            try Self.reply().encodedBody()
        }

        #expect(code == .done)
        let lines = output.standard.split(separator: "\n").map(String.init)
        #expect(Set(lines.map(DisplayWidth.columns)).count == 1)
        for word in ["오늘은 여기까지", "확인", "Ask for more ▾", "· 15 minutes", "☾"] {
            #expect(output.standard.contains(word), "\(word)")
        }
        #expect(!output.standard.unicodeScalars.contains("\u{1B}"))
        let request = try ShieldConfigurationAsk.Request.decodedBody(try #require(asked.last?.body))
        #expect(request.language == "ko" && request.app == "barebones" && request.subject.app == "firefox")
    }

    @Test(
        "At any width and with any text, a shield is printed in fewer than 40 lines of equal width",
        arguments: [1, 20, 30, 60, 200]
    )
    func widths(columns: Int) {
        let terminal = Terminal(isTerminal: true, isColoured: false, columns: columns)
        for text in [
            String(repeating: "가", count: 3_000), String(repeating: "a b", count: 9_000), "", "\n\n",
            "e\u{301}",
        ] {
            var look = Self.look
            look.title = Self.text(text)
            look.primary = Self.text(text)
            look.secondary = Self.text(text)
            let lines = ShieldCard(look, columns: columns).lines(terminal)

            #expect(Set(lines.map(DisplayWidth.columns)).count == 1)
            #expect(lines.count < 40)
        }
    }

    @Test("A shield is printed with colours only on a terminal with colours")
    func colours() {
        let plain = ShieldCard(Self.look, columns: 80).lines(
            Terminal(isTerminal: true, isColoured: false, columns: 80)
        )
        let coloured = ShieldCard(Self.look, columns: 80).lines(
            Terminal(isTerminal: true, isColoured: true, columns: 80)
        )

        #expect(!plain.joined().contains("\u{1B}"))
        #expect(coloured.joined().contains("\u{1B}[1m"))
    }

    @Test("`shield preview` prints a note if there is no shield or the appearance is not the app's own")
    func notes() async throws {
        let (_, free, _) = try await run(["preview", "site:reddit.com"]) { _, _ in
            try Self.reply(isShielded: false).encodedBody()
        }
        let (_, missing, _) = try await run(["preview", "firefox"]) { _, _ in
            try Self.reply(problem: Problem("late", "it was too slow"), missing: "configuration(shielding:)")
                .encodedBody()
        }
        let (code, old, _) = try await run(["preview", "org.mozilla.firefox", "--language", "en"]) {
            route,
            _ in
            throw Problem("route.not_found", verbatim: route)
        }

        #expect(free.error.contains("reddit.com is not shielded at the moment"))
        #expect(missing.error.contains("barebones does not override configuration(shielding:)"))
        #expect(missing.error.contains("It was too slow."))
        #expect(code == .done)
        #expect(old.error.contains("default appearance"))
        #expect(old.standard.contains("Firefox is not available now"))
    }

    @Test("`shield preview --png` writes a PNG file and prints its path, width and appearance as JSON")
    func picture() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let png = scratch.file("a.png")
        let (code, output, _) = try await run(
            ["preview", "firefox", "--png", png, "--size", "640x480", "--dark", "--language", "ko", "--json"]
        ) { _, _ in try Self.reply().encodedBody() }

        #expect(code == .done, "\(output.error)")
        let value = try JSONOutput.value(Array(output.standard.utf8))
        let bytes = try AtomicFile.read(png, limitBytes: 1 << 20)
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(value["picture"]?["path"]?.string == png)
        #expect(value["picture"]?["width"] == .integer(640))
        #expect(value["picture"]?["appearance"]?.string == "dark")
    }

    @Test(
        "An invalid `shield preview` is rejected with a suggestion, and no request is sent",
        arguments: [
            ["preview", "category:games"], ["preview", "everything"],
            ["preview", "firefox", "--size", "12x"],
            ["preview", "firefox", "--png", "a.png", "--size", "9000x9000"],
            ["preview", "firefox", "--png", "a.png", "--size", "0x0"],
            ["preview", "firefox", "--png", "a.png", "--size", "99999999999999999999x1"],
            ["preview", "firefox", "--png", "a.png", "--dark", "--light"], ["preview", "firefox", "--dark"],
            ["preview", "firefox", "--language", "../ko"], ["preview", "firefox", "--png", "-"], ["preview"],
            ["preview", "https://reddit.com/r"],
        ]
    )
    func usage(line: [String]) async throws {
        let (code, output, asked) = try await run(line) { _, _ in try Self.reply().encodedBody() }

        #expect(code == .usage)
        #expect(output.error.contains("try: "))
        #expect(asked.isEmpty)
    }

    @Test(
        "A mistyped shield command is rejected with a suggestion of the intended command",
        arguments: [
            (["shield", "draw", "firefox"], "screentime shield preview firefox"),
            (["preview", "firefox"], "screentime shield preview"),
            (["shield", "prevew", "x"], "screentime shield preview x"),
            (["shield", "ls"], "screentime shield list"), (["shields"], "screentime shield list"),
        ]
    )
    func nearMiss(line: [String], expected: String) {
        #expect { try CommandLineParser.parse(line) } throws: { error in
            (error as? Problem).map { ProblemText.text($0).contains(expected) } ?? false
        }
    }

    // MARK: - list

    private static func shown(_ number: Int) -> ShownShield {
        ShownShield(
            shield: "S\(number)",
            member: "kid",
            subject: ShieldSubject(app: "firefox", domain: number == 2 ? "reddit.com" : nil),
            category: "social",
            policy: 1,
            causes: [
                ShieldCauseBody(
                    app: BuiltInRules.app,
                    member: "kid",
                    store: "evening",
                    way: .named,
                    what: "firefox"
                )
            ],
            shownAt: "2026-11-20T17:00:00.000Z",
            wallMs: 1_795_194_000_000,
            button: number == 1 ? .primary : nil,
            response: number == 1 ? .close : nil
        )
    }

    @Test("`shield list` prints the shields of all pages and their counts")
    func list() async throws {
        let (code, output, asked) = try await run(["list", "--count", "2"]) { _, body in
            let next = try ShieldList.Request.decodedBody(body).next
            let counts = [ShieldCount(subject: ShieldSubject(app: "firefox"), shown: 7, pressed: 3)]
            return try ShieldList.Reply(
                shields: [Self.shown(next == nil ? 2 : 1)],
                counts: next == nil ? counts : [],
                next: next == nil ? "more" : nil
            ).encodedBody()
        }

        #expect(code == .done)
        #expect(output.standard.contains("site:reddit.com in firefox"))
        #expect(
            output.standard.contains("evening")
                && output.standard.contains("first button pressed; app moved to background")
        )
        #expect(output.standard.contains("no button") && output.standard.contains("7"))
        #expect(try asked.map { try ShieldList.Request.decodedBody($0.body).limit } == [2, 1])
    }

    @Test("`shield list` prints a message if there are no shields, and an empty list as JSON")
    func empty() async throws {
        let answer: @Sendable (String, [UInt8]) throws -> [UInt8] = { _, _ in
            try ShieldList.Reply(shields: [], counts: []).encodedBody()
        }
        #expect(try await run(["list"], answer).1.standard.contains("No shield has been shown yet."))
        let json = try await run(["list", "--json"], answer).1.standard
        #expect(try JSONOutput.value(Array(json.utf8))["shields"] == [])
    }
}

import STDesktop
import STPlatform
import STTestSupport
import Testing

/// Random texts in files, windows and processes.
@Suite("Random desktop entries and windows")
struct AnythingTests {
    private static let bits = [
        "firefox", "org.gnome.Maps", "a", ".", "..", "/", "/usr/bin/x", "\\", "\"", "%U", "=", "\u{202E}",
        "\u{1B}[2J",
        "가나다", "-", "_", "crx_x", "steam_app_1", "steam_app_", "sun-awt-X11", "python3", "env A=b",
        "sh -c 'x'",
        "java -jar a.jar", "\n", ";", "[", "]", "app-gnome-x-1.scope", "\\x2d", " (deleted)", "🙂", "\u{0}",
        ".desktop",
        "steam://rungameid/99999999999999999999999", "--app-id=", "wine C:\\\\a.exe",
        String(repeating: "x", count: 400),
    ]

    private static func text(_ random: inout SeededRandom) -> String {
        (0..<(random.next() % 4)).map { _ in bits[Int(random.next() % UInt64(bits.count))] }.joined()
    }

    private static func maybe(_ random: inout SeededRandom) -> String? {
        random.next() % 3 == 0 ? nil : text(&random)
    }

    @Test(
        "Every random window gets a short, harmless app ID with an explanation, the same each time",
        arguments: 0..<40
    )
    func anything(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let shelf = try AppShelf()
        for index in 0..<30 {
            let lines = [
                "Exec", "TryExec", "StartupWMClass", "Icon", "Categories", "X-Flatpak", "X-SnapInstanceName",
                "Name[ko]",
            ]
            .map { "\($0)=\(Self.text(&random))" }
            let text = (["[Desktop Entry]", "Type=Application", "Name=N\(index)"] + lines).joined(
                separator: "\n"
            )
            let folder = random.next() % 2 == 0 ? "usr/share" : "home/.local/share"
            try shelf.file("\(folder)/applications/app\(index).desktop", text)
        }
        let resolver = AppResolver(shelf.read(), language: "ko")
        for _ in 0..<200 {
            var window = DesktopWindow(
                id: WindowID("x11:0x1"),
                windowClass: Self.maybe(&random),
                instance: Self.maybe(&random)
            )
            window.desktopFile = Self.maybe(&random)
            window.pid = random.next() % 2 == 0 ? 7 : nil
            let facts = ProcessFacts(
                executable: Self.maybe(&random),
                isDeleted: random.next() % 2 == 0,
                arguments: (0..<(random.next() % 4)).map { _ in Self.text(&random) },
                unit: Self.maybe(&random),
                flatpak: random.next() % 4 == 0 ? "org.example.X" : nil,
                snap: random.next() % 4 == 0 ? "x" : nil,
                appImage: random.next() % 4 == 0 ? Self.text(&random) : nil,
                steamGame: random.next() % 4 == 0 ? "12" : nil
            )
            let app = resolver.identity(of: window, process: facts)

            #expect(!app.id.isEmpty && app.id.utf8.count <= 256 && app.id == DisplayWidth.sanitized(app.id))
            #expect(!app.steps.isEmpty && app.steps.count < 12)
            for step in app.steps.map(\.english) {
                #expect(step.utf8.count < 1_500 && step == DisplayWidth.sanitized(step))
            }
            #expect(resolver.identity(of: window, process: facts) == app)
        }
    }
}

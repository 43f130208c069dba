import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("What people call apps")
struct AppFinderTests {
    private static func app(
        id: String,
        name: String,
        programs: [String] = [],
        kinds: [String] = [],
        names: [String] = []
    )
        -> CatalogueApp
    {
        CatalogueApp(
            app: id,
            name: name,
            category: "other",
            origin: .system,
            names: names,
            programs: programs,
            kinds: kinds
        )
    }

    private static let installed = [
        app(
            id: "firefox-esr",
            name: "Firefox ESR",
            programs: ["firefox-esr"],
            kinds: ["Web Browser", "웹 브라우저"],
            names: ["파이어폭스"]
        ),
        app(id: "chromium", name: "Chromium Web Browser", programs: ["chromium"], kinds: ["Web Browser"]),
        app(
            id: "libreoffice-writer",
            name: "LibreOffice Writer",
            programs: ["libreoffice"],
            kinds: ["Word Processor"]
        ),
        app(
            id: "libreoffice-calc",
            name: "LibreOffice Calc",
            programs: ["libreoffice"],
            kinds: ["Spreadsheet"]
        ),
        app(id: "org.xfce.mousepad", name: "Mousepad", programs: ["mousepad"], kinds: ["Text Editor"]),
        app(id: "org.xfce.mousepad-settings", name: "Text Editor Settings", programs: ["mousepad"]),
        app(id: "tuxpaint", name: "Tux Paint", programs: ["tuxpaint"]),
    ]

    @Test(
        "An app is found by its name, its id, an alias or its name in another language",
        arguments: [
            ("firefox", "firefox-esr"), ("Fire Fox", "firefox-esr"), ("파이어폭스", "firefox-esr"),
            ("chrome", "chromium"),
            ("libreoffice writer", "libreoffice-writer"), ("MS Word", "libreoffice-writer"),
            ("excel", "libreoffice-calc"),
            ("mousepad", "org.xfce.mousepad"), ("ORG.XFCE.MOUSEPAD", "org.xfce.mousepad"),
            ("firefox browser", "firefox-esr"),
        ]
    )
    func one(typed: String, id: String) {
        #expect(AppFinder(used: [], installed: Self.installed).find(typed) == .one(id))
    }

    @Test("Without desktop-agent, desktop entries resolve names, and an unknown name is kept with a remark")
    func withoutAnAgent() async throws {
        let scratch = try ScratchDirectory()
        try Directories.prepare(scratch.file("share/applications"))
        try scratch.write(
            "[Desktop Entry]\nType=Application\nName=Paint Box\nExec=/bin/true\n",
            to: "share/applications/org.example.paint.desktop"
        )
        let found = PickSource.entries(
            ["XDG_DATA_DIRS": scratch.file("share"), "HOME": scratch.path],
            language: nil
        )
        let finder = AppFinder(used: [], installed: found, isComplete: false)
        var resolving = AppArgumentResolver(finder)
        let items = try resolving.items(["paint box", "zzz"].map { TokenItem(kind: .application, id: $0) })
        #expect(items.map(\.id) == ["org.example.paint", "zzz"])
        #expect(resolving.remarks.count == 2 && resolving.remarks[1].contains("No app called zzz"))
    }

    @Test("An ambiguous name returns several apps, unless only one of them was used")
    func several() {
        let fresh = AppFinder(used: [], installed: Self.installed)
        #expect(fresh.find("libreoffice") == .several(["libreoffice-writer", "libreoffice-calc"]))
        #expect(fresh.find("browser") == .several(["chromium", "firefox-esr"]))
        let used = AppFinder(used: ["libreoffice-calc"], installed: Self.installed)
        #expect(used.find("libreoffice") == .one("libreoffice-calc"))
    }

    @Test("A misspelled or partial app name only returns suggestions, and an unknown name returns nothing")
    func none() {
        let finder = AppFinder(used: ["org.gnome.Chess"], installed: Self.installed)
        #expect(finder.find("paint") == .one("tuxpaint"), "by the alias")
        #expect(finder.find("firefocks") == .none(near: ["firefox-esr"]))
        #expect(finder.find("pad") == .none(near: ["org.xfce.mousepad", "org.xfce.mousepad-settings"]))
        #expect(finder.find("Chess") == .one("org.gnome.Chess"))
        #expect(finder.find("fortnite") == .none(near: []))
        #expect(finder.find(" . ") == .none(near: []))
        #expect(finder.find("") == .none(near: []))
    }

    @Test("`doctor` reports rules for missing apps with suggestions, unless no installed apps are listed")
    func dead() throws {
        func rule(_ name: String, _ app: String) throws -> RuleView {
            RuleWordsTests.view(
                name,
                RuleSpec(kind: .limit, targets: [TokenItem(kind: .application, id: app)], durationMs: 1)
            )
        }
        let rules = [
            try rule("web", "firefox"), try rule("text", "org.xfce.mousepad"), try rule("odd", "fortnite"),
        ]

        let found = DoctorHousehold.rulesWithoutEffect(rules, AppFinder(used: [], installed: Self.installed))
            .map(\.text.english)

        #expect(found.count == 2)
        #expect(found.first?.contains("The rule web has no effect on firefox") == true)
        #expect(found.first?.contains("Did you mean firefox-esr?") == true)
        #expect(found.last?.contains("fortnite") == true)
        #expect(
            DoctorHousehold.rulesWithoutEffect(rules, AppFinder(used: ["firefox"], installed: [])).isEmpty,
            "what is installed is not known"
        )
    }
}

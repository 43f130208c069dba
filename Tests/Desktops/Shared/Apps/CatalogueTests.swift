import Glibc
import STContracts
import STDesktop
import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("The catalogue of installed apps")
struct CatalogueTests {
    @Test("has names in the languages wanted, categories, origins, and knows what menus leave out")
    func whole() throws {
        let shelf = try AppShelf()
        try shelf.system(
            "org.example.Pad",
            "pad %U",
            "Name=Pad",
            "Name[ko]=글상자",
            "Name[pt_BR]=Bloco",
            "Name[de]=Block",
            "Categories=TextEditor;"
        )
        try shelf.system("helper", "helper", "NoDisplay=true")
        try shelf.system("gone", "gone", "Hidden=true")
        try shelf.flatpak("org.mozilla.firefox", "Categories=Network;WebBrowser;")
        try shelf.snap("chromium_chromium", "chromium")
        try shelf.own("mine", "/home/me/mine", "Categories=Game;")
        try shelf.own("gone", "gone")

        let catalogue = shelf.read(["ko_KR.UTF-8", "pt_BR"])

        let pad = try #require(catalogue.app("ORG.example.pad"))
        #expect(pad.name(in: "ko") == "글상자" && pad.name(in: "ko_KR") == "글상자")
        #expect(pad.name(in: "pt_BR") == "Bloco" && pad.name(in: "de") == "Pad" && pad.name(in: nil) == "Pad")
        #expect(pad.category == .productivity && pad.origin == .system && pad.isShown)
        #expect(catalogue.app("helper")?.isShown == false)
        #expect(catalogue.app("gone") == nil)
        #expect(catalogue.app("org.mozilla.firefox")?.origin == .flatpak)
        #expect(catalogue.app("chromium_chromium")?.origin == .snap)
        #expect(catalogue.app("mine")?.origin == .user && catalogue.app("mine")?.category == .games)
        #expect(catalogue.version == shelf.read(["ko_KR.UTF-8", "pt_BR"]).version)
        try shelf.own("new", "new")
        #expect(catalogue.version != shelf.read(["ko_KR.UTF-8", "pt_BR"]).version)
    }

    @Test("an update that changes nothing but what is started, or how windows are called, is another version")
    func updates() throws {
        let shelf = try AppShelf()
        var versions: [Int64] = []
        for lines in [
            ["/usr/bin/one"], ["/usr/bin/two"], ["/usr/bin/two", "StartupWMClass=Two"],
            ["/usr/bin/two", "X-Flatpak=a.b.C"], ["/usr/bin/two", "X-SnapInstanceName=two"],
            ["/usr/bin/two --app=x"],
        ] {
            try shelf.system("a", lines[0], lines.dropFirst().joined(separator: "\n"))
            versions.append(shelf.read().version)
        }
        #expect(Set(versions).count == versions.count)
    }

    @Test("an entry in the home folder takes neither the id nor the window class of the system's")
    func imitation() throws {
        let shelf = try AppShelf()
        try shelf.system(
            "firefox-esr",
            "/usr/lib/firefox-esr/firefox-esr",
            "Name=Firefox",
            "Categories=WebBrowser;",
            "StartupWMClass=firefox-esr"
        )
        try shelf.own("Firefox-ESR", "/home/me/game", "Name=Homework", "Categories=Education;")
        try shelf.own("homework", "/home/me/game", "StartupWMClass=firefox-esr", "Categories=Education;")
        let catalogue = shelf.read()

        #expect(catalogue.app("firefox-esr")?.name == "Firefox")
        #expect(catalogue.app("firefox-esr")?.category == .utilities)
        let app = AppResolver(catalogue).identity(
            of: .init(id: .init("x11:0x1"), windowClass: "firefox-esr"),
            process: nil
        )
        #expect(app.id == "firefox-esr" && app.name == "Firefox")
    }

    @Test("names cannot turn text round, move the cursor or hide anything")
    func hostileNames() throws {
        let shelf = try AppShelf()
        try shelf.own("a", "a", "Name=\u{202E}xoferiF\u{1B}[2J\u{200B}\u{2028}\u{7}!")
        try shelf.own("b\u{202E}", "b", "Name=B")
        let catalogue = shelf.read()

        #expect(catalogue.app("a")?.name == "xoferiF[2J!")
        #expect(catalogue.app("b\u{202E}") == nil && catalogue.broken == 1)
    }

    // MARK: - Icons

    @Test("an icon is found by the theme's rules, as a picture near to what is drawn")
    func icons() throws {
        let shelf = try AppShelf()
        try shelf.system("a", "a", "Icon=a")
        try shelf.system("b", "b", "Icon=b")
        try shelf.system("c", "c", "Icon=org.example.missing")
        try shelf.system("d", "d", "Icon=d.png")
        try shelf.file("usr/share/icons/hicolor/16x16/apps/a.png")
        try shelf.file("usr/share/icons/hicolor/scalable/apps/a.svg")
        try shelf.file("usr/share/icons/hicolor/48x48/apps/a.png")
        try shelf.file("usr/share/pixmaps/b.svg")
        try shelf.file("usr/share/pixmaps/d.png")
        let catalogue = shelf.read()

        #expect(catalogue.app("a")?.icon == shelf.scratch.file("usr/share/icons/hicolor/scalable/apps/a.svg"))
        #expect(catalogue.app("b")?.icon == shelf.scratch.file("usr/share/pixmaps/b.svg"))
        #expect(catalogue.app("c")?.icon == "org.example.missing")
        #expect(catalogue.app("d")?.icon == shelf.scratch.file("usr/share/pixmaps/d.png"))
    }

    @Test("a huge icon, one of another kind and one out of reach are left out, unread")
    func badIcons() throws {
        let shelf = try AppShelf()
        let huge = shelf.scratch.file("usr/share/pixmaps/huge.png")
        try shelf.file("usr/share/pixmaps/huge.png")
        #expect(truncate(huge, 10 << 20) == 0)
        try shelf.file("elsewhere/secret.png")
        #expect(
            symlink(
                shelf.scratch.file("elsewhere/secret.png"),
                shelf.scratch.file("usr/share/pixmaps/link.png")
            ) == 0
        )
        #expect(symlink("loop.png", shelf.scratch.file("usr/share/pixmaps/loop.png")) == 0)
        #expect(mkfifo(shelf.scratch.file("usr/share/pixmaps/pipe.png"), 0o644) == 0)
        let paths = [
            huge, shelf.scratch.file("usr/share/pixmaps/link.png"),
            shelf.scratch.file("usr/share/pixmaps/loop.png"),
            shelf.scratch.file("usr/share/pixmaps/pipe.png"), shelf.scratch.file("elsewhere/secret.png"),
            shelf.scratch.file("usr/share/pixmaps/../../../elsewhere/secret.png"), "/proc/self/exe",
            "/dev/zero",
            "/etc/passwd", "../../../elsewhere/secret", "/usr/share/" + String(repeating: "x/", count: 100),
        ]
        for (index, path) in paths.enumerated() { try shelf.system("bad\(index)", "x", "Icon=\(path)") }
        try shelf.system("named", "x", "Icon=huge")
        let catalogue = shelf.read()

        for index in paths.indices { #expect(catalogue.app("bad\(index)")?.icon == nil, "\(paths[index])") }
        #expect(catalogue.app("named")?.icon == "huge")
    }

    // MARK: - Much, and endless

    @Test("folders that lead into themselves, thousands of files and huge ones are bounded")
    func bounded() throws {
        let shelf = try AppShelf()
        let folder = shelf.scratch.file("home/.local/share/applications")
        try shelf.system("real", "real")
        for index in 0..<12 { #expect(symlink(".", "\(folder)/loop\(index)") == 0) }
        for index in 0..<40 { try shelf.own("app\(index)", "x") }
        try shelf.own("huge", "x", String(repeating: "#", count: 300_000))
        let catalogue = shelf.read()

        #expect(catalogue.app("real") != nil && catalogue.app("app39") != nil && catalogue.app("huge") == nil)
        // Each folder once, although several links lead to it.
        #expect(catalogue.apps.count == 41)
    }

    @Test("five hundred entries with icons take less than a mebibyte")
    func memory() throws {
        let shelf = try AppShelf()
        for index in 0..<500 {
            try shelf.system(
                "org.example.Application\(index)",
                "/usr/bin/example-\(index) --new-window %U",
                "Name=Application number \(index)",
                "Name[ko]=응용 프로그램 \(index)",
                "Icon=org.example.Application\(index)",
                "Categories=GTK;Utility;TextEditor;",
                "StartupWMClass=example-\(index)"
            )
        }
        // Many of them, as other tests run beside this one.
        let first = shelf.read()
        #expect(first.apps.count == 500)
        // What others take meanwhile is not theirs: the least of a few looks, all of which are kept.
        var kept: [AppCatalogue] = []
        var used = Int64.max
        for _ in 0..<5 where used >= 3 << 20 {
            let before = try #require(ProcessMemory.sample(pid: getpid())).privateBytes
            kept += (0..<16).map { _ in shelf.read() }
            used = min(used, (try #require(ProcessMemory.sample(pid: getpid())).privateBytes - before) / 16)
        }

        #expect(kept.allSatisfy { $0.version == first.version })
        #expect(used < 3 << 20, "\(used) bytes each")
    }
}

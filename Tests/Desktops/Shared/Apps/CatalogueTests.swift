import Glibc
import STContracts
import STDesktop
import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("The catalogue of installed apps")
struct CatalogueTests {
    @Test(
        "The catalogue has translated names, categories, origins and hidden apps, and its version follows changes"
    )
    func whole() throws {
        let shelf = try AppShelf()
        try shelf.system(
            id: "org.example.Pad",
            exec: "pad %U",
            more: "Name=Pad",
            "Name[ko]=글상자",
            "Name[pt_BR]=Bloco",
            "Name[de]=Block",
            "Categories=TextEditor;"
        )
        try shelf.system(id: "helper", exec: "helper", more: "NoDisplay=true")
        try shelf.system(id: "gone", exec: "gone", more: "Hidden=true")
        try shelf.flatpak("org.mozilla.firefox", "Categories=Network;WebBrowser;")
        try shelf.snap(id: "chromium_chromium", name: "chromium")
        try shelf.own(id: "mine", exec: "/home/me/mine", more: "Categories=Game;")
        try shelf.own(id: "gone", exec: "gone")

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
        try shelf.own(id: "new", exec: "new")
        #expect(catalogue.version != shelf.read(["ko_KR.UTF-8", "pt_BR"]).version)
    }

    @Test("A change of an app's program or window class changes the version of the catalogue")
    func updates() throws {
        let shelf = try AppShelf()
        var versions: [Int64] = []
        for lines in [
            ["/usr/bin/one"], ["/usr/bin/two"], ["/usr/bin/two", "StartupWMClass=Two"],
            ["/usr/bin/two", "X-Flatpak=a.b.C"], ["/usr/bin/two", "X-SnapInstanceName=two"],
            ["/usr/bin/two --app=x"],
        ] {
            try shelf.system(id: "a", exec: lines[0], more: lines.dropFirst().joined(separator: "\n"))
            versions.append(shelf.read().version)
        }
        #expect(Set(versions).count == versions.count)
    }

    @Test("An entry in the home folder takes neither the ID nor the window class of a system entry")
    func imitation() throws {
        let shelf = try AppShelf()
        try shelf.system(
            id: "firefox-esr",
            exec: "/usr/lib/firefox-esr/firefox-esr",
            more: "Name=Firefox",
            "Categories=WebBrowser;",
            "StartupWMClass=firefox-esr"
        )
        try shelf.own(
            id: "Firefox-ESR",
            exec: "/home/me/game",
            more: "Name=Homework",
            "Categories=Education;"
        )
        try shelf.own(
            id: "homework",
            exec: "/home/me/game",
            more: "StartupWMClass=firefox-esr",
            "Categories=Education;"
        )
        let catalogue = shelf.read()

        #expect(catalogue.app("firefox-esr")?.name == "Firefox")
        #expect(catalogue.app("firefox-esr")?.category == .utilities)
        let app = AppResolver(catalogue).identity(
            of: .init(id: .init("x11:0x1"), windowClass: "firefox-esr"),
            process: nil
        )
        #expect(app.id == "firefox-esr" && app.name == "Firefox")
    }

    @Test("Control and direction characters are removed from the names of apps")
    func hostileNames() throws {
        let shelf = try AppShelf()
        try shelf.own(id: "a", exec: "a", more: "Name=\u{202E}xoferiF\u{1B}[2J\u{200B}\u{2028}\u{7}!")
        try shelf.own(id: "b\u{202E}", exec: "b", more: "Name=B")
        let catalogue = shelf.read()

        #expect(catalogue.app("a")?.name == "xoferiF[2J!")
        #expect(catalogue.app("b\u{202E}") == nil && catalogue.unreadableCount == 1)
    }

    // MARK: - Icons

    @Test("Icons are found in themes and pixmap folders, preferably scalable ones")
    func icons() throws {
        let shelf = try AppShelf()
        try shelf.system(id: "a", exec: "a", more: "Icon=a")
        try shelf.system(id: "b", exec: "b", more: "Icon=b")
        try shelf.system(id: "c", exec: "c", more: "Icon=org.example.missing")
        try shelf.system(id: "d", exec: "d", more: "Icon=d.png")
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

    @Test("Icons that are huge, of another kind or outside the icon folders are ignored")
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
        for (index, path) in paths.enumerated() {
            try shelf.system(id: "bad\(index)", exec: "x", more: "Icon=\(path)")
        }
        try shelf.system(id: "named", exec: "x", more: "Icon=huge")
        let catalogue = shelf.read()

        for index in paths.indices { #expect(catalogue.app("bad\(index)")?.icon == nil, "\(paths[index])") }
        #expect(catalogue.app("named")?.icon == "huge")
    }

    // MARK: - Much, and endless

    @Test("The catalogue reads each entry once despite symlink loops, and skips a huge file")
    func bounded() throws {
        let shelf = try AppShelf()
        let folder = shelf.scratch.file("home/.local/share/applications")
        try shelf.system(id: "real", exec: "real")
        for index in 0..<12 { #expect(symlink(".", "\(folder)/loop\(index)") == 0) }
        for index in 0..<40 { try shelf.own(id: "app\(index)", exec: "x") }
        try shelf.own(id: "huge", exec: "x", more: String(repeating: "#", count: 300_000))
        let catalogue = shelf.read()

        #expect(catalogue.app("real") != nil && catalogue.app("app39") != nil && catalogue.app("huge") == nil)
        // Each folder once, although several links lead to it.
        #expect(catalogue.apps.count == 41)
    }

    @Test("A catalogue of 500 entries with icons takes less than 3 MiB")
    func memory() throws {
        let shelf = try AppShelf()
        for index in 0..<500 {
            try shelf.system(
                id: "org.example.Application\(index)",
                exec: "/usr/bin/example-\(index) --new-window %U",
                more: "Name=Application number \(index)",
                "Name[ko]=응용 프로그램 \(index)",
                "Icon=org.example.Application\(index)",
                "Categories=GTK;Utility;TextEditor;",
                "StartupWMClass=example-\(index)"
            )
        }
        // Many of them, because other tests run in parallel.
        let first = shelf.read()
        #expect(first.apps.count == 500)
        // Other tests allocate meanwhile, so the smallest of several measurements counts. All catalogues are kept.
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

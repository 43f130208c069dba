import STDesktop
import STPlatform
import Testing

/// Real windows, and the app to which each belongs.
@Suite("Apps of real windows")
struct RealCaseTests {
    private static let shelf: AppCatalogue? = try? {
        let shelf = try AppShelf()
        try shelf.system(
            id: "firefox-esr",
            exec: "/usr/lib/firefox-esr/firefox-esr %u",
            more: "StartupWMClass=firefox-esr",
            "Categories=Network;WebBrowser;"
        )
        try shelf.system(
            id: "google-chrome",
            exec: "/usr/bin/google-chrome-stable %U",
            more: "Categories=Network;WebBrowser;"
        )
        try shelf.system(id: "org.gnome.Nautilus", exec: "nautilus --new-window %U")
        try shelf.system(id: "org.gnome.Terminal", exec: "gnome-terminal")
        try shelf.system(id: "org.gnome.Console", exec: "kgx")
        try shelf.system(id: "Alacritty", exec: "alacritty", more: "StartupWMClass=Alacritty")
        try shelf.system(id: "foot", exec: "foot")
        try shelf.system(id: "debian-xterm", exec: "xterm", more: "StartupWMClass=XTerm")
        try shelf.system(id: "htop", exec: "htop", more: "Terminal=true")
        try shelf.system(
            id: "libreoffice-startcenter",
            exec: "libreoffice %U",
            more: "StartupWMClass=libreoffice-startcenter"
        )
        try shelf.system(
            id: "libreoffice-writer",
            exec: "libreoffice --writer %U",
            more: "StartupWMClass=libreoffice-writer"
        )
        try shelf.system(
            id: "libreoffice-calc",
            exec: "libreoffice --calc %U",
            more: "StartupWMClass=libreoffice-calc"
        )
        try shelf.system(id: "code", exec: "/usr/share/code/code %F", more: "StartupWMClass=Code")
        try shelf.system(id: "obsidian", exec: "/usr/bin/obsidian %U", more: "StartupWMClass=obsidian")
        try shelf.system(id: "minetest", exec: "minetest", more: "Categories=Game;")
        try shelf.system(id: "anki", exec: "anki %f")
        try shelf.system(
            id: "jetbrains-idea",
            exec: "/opt/idea/bin/idea.sh %f",
            more: "StartupWMClass=jetbrains-idea"
        )
        try shelf.system(id: "steam", exec: "/usr/games/steam %U", more: "StartupWMClass=Steam")
        try shelf.system(id: "virtualbox", exec: "VirtualBox %U", more: "StartupWMClass=VirtualBox Manager")
        try shelf.system(id: "wine", exec: "wine start /unix %f", more: "NoDisplay=true")
        try shelf.system(id: "org.kde.kate", exec: "kate -b %U")
        try shelf.system(id: "gimp", exec: "gimp-2.10 %U", more: "StartupWMClass=gimp")
        try shelf.system(id: "mousepad", exec: "mousepad %U", more: "StartupWMClass=Mousepad")
        try shelf.system(id: "vlc", exec: "/usr/bin/vlc --started-from-file %U")
        try shelf.flatpak("org.mozilla.firefox")
        try shelf.flatpak(
            "org.libreoffice.LibreOffice.writer",
            "X-Flatpak=org.libreoffice.LibreOffice",
            "StartupWMClass=libreoffice-writer"
        )
        try shelf.flatpak("com.spotify.Client", "StartupWMClass=spotify")
        try shelf.snap(id: "chromium_chromium", name: "chromium")
        try shelf.snap(id: "discord_discord", name: "discord", more: "StartupWMClass=discord")
        try shelf.own(
            id: "chrome-abcdef-Default",
            exec: "/opt/google/chrome/google-chrome --profile-directory=Default --app-id=abcdef",
            more: "StartupWMClass=crx_abcdef"
        )
        try shelf.own(
            id: "wine-Programs-Notes",
            exec: "env WINEPREFIX=\"/home/u/.wine\" wine C:\\\\\\\\notes.lnk",
            more: "StartupWMClass=notes.exe"
        )
        try shelf.own(id: "Half-Life 2", exec: "steam steam://rungameid/220", more: "Name=Half-Life 2")
        try shelf.own(id: "Joplin", exec: "/home/u/Apps/Joplin-2.AppImage", more: "StartupWMClass=Joplin")
        try shelf.own(
            id: "study-site",
            exec: "/opt/google/chrome/chrome --app=https://study.example.org",
            more: "StartupWMClass=Study"
        )
        try shelf.own(id: "homework", exec: "/usr/games/minetest", more: "StartupWMClass=homework")
        return shelf.read()
    }()

    @Test("Each real window resolves to the right app with an explanation", arguments: RealCase.all)
    func belongs(_ it: RealCase) throws {
        let catalogue = try #require(Self.shelf)
        let resolver = AppResolver(catalogue, language: "en")
        var window = DesktopWindow(
            id: WindowID("x11:0x1"),
            windowClass: it.windowClass,
            instance: it.instance
        )
        window.desktopFile = it.desktopFile
        window.pid = it.facts == nil ? nil : 4242

        let app = resolver.identity(of: window, process: it.facts)

        #expect(app.id == it.app, "\(app.steps)")
        #expect(app.clue == it.clue, "\(app.steps)")
        #expect(app.steps.last?.english.contains(app.id) == true)
        #expect(app.steps.allSatisfy { $0.english.hasSuffix(".") })
    }

    @Test("The table of real windows has 56 cases")
    func whole() { #expect(RealCase.all.count == 56) }

    @Test("A process ID that only the window itself claims does not change its app")
    func claimed() throws {
        let resolver = AppResolver(try #require(Self.shelf))
        var window = DesktopWindow(id: WindowID("x11:0x1"), windowClass: "firefox-esr")
        window.claimedPid = 4242

        let app = resolver.identity(of: window, process: ProcessFacts(executable: "/home/u/bin/doom"))

        #expect(app.id == "firefox-esr")
        #expect(app.steps.contains { $0.english.contains("Only the window itself reports its process") })
    }

    @Test("A Steam game has the name of its desktop entry")
    func gameName() throws {
        let resolver = AppResolver(try #require(Self.shelf))
        let app = resolver.identity(
            of: DesktopWindow(id: WindowID("wl:1"), windowClass: "steam_app_220"),
            process: nil
        )
        #expect(app.name == "Half-Life 2")
    }
}

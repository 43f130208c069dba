import STDesktop
import STPlatform
import Testing

/// Windows as they really are, and the app that each belongs to.
@Suite("From window to app: real cases")
struct RealCaseTests {
    private static let shelf: AppCatalogue? = try? {
        let shelf = try AppShelf()
        try shelf.system(
            "firefox-esr",
            "/usr/lib/firefox-esr/firefox-esr %u",
            "StartupWMClass=firefox-esr",
            "Categories=Network;WebBrowser;"
        )
        try shelf.system(
            "google-chrome",
            "/usr/bin/google-chrome-stable %U",
            "Categories=Network;WebBrowser;"
        )
        try shelf.system("org.gnome.Nautilus", "nautilus --new-window %U")
        try shelf.system("org.gnome.Terminal", "gnome-terminal")
        try shelf.system("org.gnome.Console", "kgx")
        try shelf.system("Alacritty", "alacritty", "StartupWMClass=Alacritty")
        try shelf.system("foot", "foot")
        try shelf.system("debian-xterm", "xterm", "StartupWMClass=XTerm")
        try shelf.system("htop", "htop", "Terminal=true")
        try shelf.system(
            "libreoffice-startcenter",
            "libreoffice %U",
            "StartupWMClass=libreoffice-startcenter"
        )
        try shelf.system("libreoffice-writer", "libreoffice --writer %U", "StartupWMClass=libreoffice-writer")
        try shelf.system("libreoffice-calc", "libreoffice --calc %U", "StartupWMClass=libreoffice-calc")
        try shelf.system("code", "/usr/share/code/code %F", "StartupWMClass=Code")
        try shelf.system("obsidian", "/usr/bin/obsidian %U", "StartupWMClass=obsidian")
        try shelf.system("minetest", "minetest", "Categories=Game;")
        try shelf.system("anki", "anki %f")
        try shelf.system("jetbrains-idea", "/opt/idea/bin/idea.sh %f", "StartupWMClass=jetbrains-idea")
        try shelf.system("steam", "/usr/games/steam %U", "StartupWMClass=Steam")
        try shelf.system("virtualbox", "VirtualBox %U", "StartupWMClass=VirtualBox Manager")
        try shelf.system("wine", "wine start /unix %f", "NoDisplay=true")
        try shelf.system("org.kde.kate", "kate -b %U")
        try shelf.system("gimp", "gimp-2.10 %U", "StartupWMClass=gimp")
        try shelf.system("mousepad", "mousepad %U", "StartupWMClass=Mousepad")
        try shelf.system("vlc", "/usr/bin/vlc --started-from-file %U")
        try shelf.flatpak("org.mozilla.firefox")
        try shelf.flatpak(
            "org.libreoffice.LibreOffice.writer",
            "X-Flatpak=org.libreoffice.LibreOffice",
            "StartupWMClass=libreoffice-writer"
        )
        try shelf.flatpak("com.spotify.Client", "StartupWMClass=spotify")
        try shelf.snap("chromium_chromium", "chromium")
        try shelf.snap("discord_discord", "discord", "StartupWMClass=discord")
        try shelf.own(
            "chrome-abcdef-Default",
            "/opt/google/chrome/google-chrome --profile-directory=Default --app-id=abcdef",
            "StartupWMClass=crx_abcdef"
        )
        try shelf.own(
            "wine-Programs-Notes",
            "env WINEPREFIX=\"/home/u/.wine\" wine C:\\\\\\\\notes.lnk",
            "StartupWMClass=notes.exe"
        )
        try shelf.own("Half-Life 2", "steam steam://rungameid/220", "Name=Half-Life 2")
        try shelf.own("Joplin", "/home/u/Apps/Joplin-2.AppImage", "StartupWMClass=Joplin")
        try shelf.own(
            "study-site",
            "/opt/google/chrome/chrome --app=https://study.example.org",
            "StartupWMClass=Study"
        )
        try shelf.own("homework", "/usr/games/minetest", "StartupWMClass=homework")
        return shelf.read()
    }()

    @Test("each belongs to the right app, and it is said why", arguments: RealCase.all)
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

    @Test("the table is read whole")
    func whole() { #expect(RealCase.all.count == 56) }

    @Test("a process that only the window itself names is not held against it")
    func claimed() throws {
        let resolver = AppResolver(try #require(Self.shelf))
        var window = DesktopWindow(id: WindowID("x11:0x1"), windowClass: "firefox-esr")
        window.claimedPid = 4242

        let app = resolver.identity(of: window, process: ProcessFacts(executable: "/home/u/bin/doom"))

        #expect(app.id == "firefox-esr")
        #expect(app.steps.contains { $0.english.contains("Only the window itself reports its process") })
    }

    @Test("a game of Steam has the name that its entry gives it")
    func gameName() throws {
        let resolver = AppResolver(try #require(Self.shelf))
        let app = resolver.identity(
            of: DesktopWindow(id: WindowID("wl:1"), windowClass: "steam_app_220"),
            process: nil
        )
        #expect(app.name == "Half-Life 2")
    }
}

import STCommandCore
import STContracts
import STDesktop
import STDesktopCore
import STDesktopKit
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import Testing

/// Names that people type, compared with the desktop entries of Debian's packages, which are downloaded and not installed.
@Suite("Names of real programs")
struct NamesTests {
    /// Packages of a few hundred KiB each.
    private static let light = """
        aisleriot atril celluloid eog evince evolution gcompris-qt gedit
        gnome-calculator gnome-chess gnome-mines gnome-sudoku gnome-terminal gnome-text-editor hexchat kate kcalc konsole libreoffice-base
        libreoffice-impress libreoffice-math mousepad mpv nautilus pcmanfm pidgin quodlibet rhythmbox
        ristretto shotcut shotwell supertux thunar totem transmission-gtk tuxpaint vlc xfce4-terminal
        """
    /// Packages with about 400 MB together.
    private static let heavy = """
        firefox-esr chromium thunderbird libreoffice-writer libreoffice-calc libreoffice-draw gimp inkscape
        krita audacity obs-studio kdenlive dolphin okular gwenview clementine supertuxkart minetest 0ad kpat
        telegram-desktop qbittorrent geary darktable blender scratch
        """

    /// Downloads the entries into a permanent folder, so that each package is downloaded once.
    private static func entries() async throws -> String {
        let folder = BuiltTree.source(".build/desktop-entries")
        try Directories.prepare(folder + "/apps")
        let packages = (XHouse.isSoak ? light + " " + heavy : light).split(whereSeparator: \.isWhitespace)
        print(
            "Downloading \(packages.count) packages of Debian for their desktop entries, where they are not there yet."
        )
        let script = """
            set -eu
            cd "$0"
            for package in "$@"; do
                [ ! -e "$package.done" ] || continue
                apt-get download -q "$package" > apt.log 2>&1 || { cat apt.log; exit 1; }
                dpkg-deb --fsys-tarfile "$package"_*.deb |
                    tar -x --wildcards './usr/share/applications/*.desktop' --transform='s,.*/,apps/,'
                rm "$package"_*.deb
                : > "$package.done"
            done
            """
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: "/bin/sh",
                arguments: ["-c", script, folder] + packages.map(String.init),
                environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"],
                hasLifeline: true
            )
        )
        // Without blocking a thread of other tests meanwhile.
        let end = try await eventually(within: .seconds(900), "the packages are there") {
            guard let end = process.wait(deadlineMs: 0) else { throw NotYet("they are being downloaded") }
            return end
        }
        guard end == .exited(0) else {
            throw NotYet("the packages could not be downloaded: \(end)")
        }
        return folder + "/apps"
    }

    private static func catalogue(_ folder: String) throws -> [CatalogueApp] {
        let catalogue = AppCatalogue.read([folder], languages: [], environment: [:])
        var apps: [CatalogueApp] = []
        var next: String?
        repeat {
            let page = try CatalogueReplyBuilder.page(
                .init(next: next),
                catalogue,
                categories: CategoryMap(),
                language: nil
            )
            apps += page.apps
            next = page.next
        } while next != nil
        return apps
    }

    @Test(
        "Each of two hundred typed app names finds the right app or offers it as a choice"
    )
    func names() async throws {
        let apps = try Self.catalogue(try await Self.entries())
        let installed = Set(apps.map(\.app))
        let finder = AppFinder(used: [], installed: apps)
        var counts = (right: 0, asked: 0, leftOut: 0)
        for line in Self.table.split(separator: "\n") {
            let sides = line.split(separator: " = ")
            let (typed, wanted) = (String(sides[0]), sides[1].split(separator: " ").map(String.init))
            let here = wanted.filter(installed.contains)
            guard !here.isEmpty || wanted.contains("-") else {
                counts.leftOut += 1
                continue
            }
            switch finder.find(typed) {
            case .one(let id):
                #expect(here.contains(id), "\(typed) became \(id)")
                counts.right += 1
            case .several(let ids):
                #expect(!here.isEmpty && here.contains(where: ids.contains), "\(typed): \(ids)")
                counts.asked += 1
            case .none(let near):
                #expect(wanted.contains("-") || here.contains(where: near.contains), "\(typed): \(near)")
                counts.asked += 1
            }
        }
        print("names: \(counts), \(installed.count) programs")
        #expect(installed.count >= 40)
        #expect(counts.right > 60)
    }

    /// The typed names, and the entries that each may mean. `-` means none of them.
    private static let table = """
        firefox = firefox-esr
        Firefox = firefox-esr
        mozilla firefox = firefox-esr
        firefox esr = firefox-esr
        fire fox = firefox-esr
        firefox browser = firefox-esr
        firefocks = firefox-esr
        browser = firefox-esr chromium
        web browser = firefox-esr chromium
        internet browser = -
        chromium = chromium
        chrome = chromium
        google chrome = chromium
        Chromium Web Browser = chromium
        chromium browser = chromium
        thunderbird = thunderbird
        thunder bird = thunderbird
        mozilla thunderbird = thunderbird
        mail = thunderbird org.gnome.Evolution org.gnome.Geary
        email = thunderbird org.gnome.Evolution org.gnome.Geary
        outlook = thunderbird
        mail client = thunderbird
        thunderbrid = thunderbird
        libreoffice writer = libreoffice-writer
        LibreOffice Writer = libreoffice-writer
        writer = libreoffice-writer
        word = libreoffice-writer
        ms word = libreoffice-writer
        microsoft word = libreoffice-writer
        word processor = libreoffice-writer
        libreoffice calc = libreoffice-calc
        libre office calc = libreoffice-calc
        calc = libreoffice-calc
        excel = libreoffice-calc
        microsoft excel = libreoffice-calc
        spreadsheet = libreoffice-calc
        libreoffice impress = libreoffice-impress
        impress = libreoffice-impress
        powerpoint = libreoffice-impress
        power point = libreoffice-impress
        libreoffice draw = libreoffice-draw
        libreoffice base = libreoffice-base
        libreoffice math = libreoffice-math
        libreoffice = libreoffice-writer libreoffice-calc
        open office = libreoffice-writer libreoffice-calc
        office = libreoffice-writer libreoffice-calc
        gimp = gimp
        GIMP = gimp
        the gimp = gimp
        gnu image manipulation program = gimp
        gimp image editor = gimp
        photoshop = gimp
        image editor = gimp
        inkscape = org.inkscape.Inkscape
        ink scape = org.inkscape.Inkscape
        illustrator = org.inkscape.Inkscape
        inkscpae = org.inkscape.Inkscape
        krita = org.kde.krita
        Krita = org.kde.krita
        vlc = vlc
        VLC = vlc
        vlc media player = vlc
        vlc player = vlc
        videolan = vlc -
        mpv = mpv
        mpv player = mpv
        mpv media player = mpv
        media player = vlc mpv
        audacity = audacity
        obs = com.obsproject.Studio
        OBS Studio = com.obsproject.Studio
        obs-studio = com.obsproject.Studio
        kdenlive = org.kde.kdenlive
        kden live = org.kde.kdenlive
        shotcut = org.shotcut.Shotcut
        video editor = org.kde.kdenlive org.shotcut.Shotcut
        mousepad = org.xfce.mousepad
        Mousepad = org.xfce.mousepad
        mouse pad = org.xfce.mousepad
        gedit = org.gnome.gedit
        text editor = org.gnome.TextEditor org.xfce.mousepad
        gnome text editor = org.gnome.TextEditor
        notepad = org.xfce.mousepad org.gnome.gedit org.kde.kate
        editor = org.xfce.mousepad org.gnome.gedit
        kate = org.kde.kate
        nautilus = org.gnome.Nautilus
        files = org.gnome.Nautilus
        file manager = org.gnome.Nautilus thunar org.kde.dolphin pcmanfm
        explorer = org.gnome.Nautilus thunar org.kde.dolphin pcmanfm
        dolphin = org.kde.dolphin
        thunar = thunar
        thunar file manager = thunar
        pcmanfm = pcmanfm
        terminal = org.gnome.Terminal org.kde.konsole xfce4-terminal
        gnome terminal = org.gnome.Terminal
        gnome-terminal = org.gnome.Terminal
        console = org.gnome.Terminal org.kde.konsole
        konsole = org.kde.konsole
        xfce terminal = xfce4-terminal
        xfce4-terminal = xfce4-terminal
        cmd = org.gnome.Terminal org.kde.konsole
        calculator = org.gnome.Calculator org.kde.kcalc
        gnome calculator = org.gnome.Calculator
        kcalc = org.kde.kcalc
        evince = org.gnome.Evince
        document viewer = org.gnome.Evince org.kde.okular atril
        pdf = org.gnome.Evince org.kde.okular atril
        pdf viewer = org.gnome.Evince org.kde.okular atril
        acrobat = org.gnome.Evince org.kde.okular atril
        okular = org.kde.okular
        oklar = org.kde.okular
        atril = atril
        atril document viewer = atril
        eog = org.gnome.eog
        eye of gnome = - org.gnome.eog
        image viewer = org.gnome.eog org.kde.gwenview
        gwenview = org.kde.gwenview
        ristretto = org.xfce.ristretto
        shotwell = shotwell
        photos = shotwell org.gnome.eog
        rhythmbox = org.gnome.Rhythmbox3
        rythmbox = org.gnome.Rhythmbox3
        clementine = org.clementine_player.Clementine
        quod libet = io.github.quodlibet.QuodLibet
        quodlibet = io.github.quodlibet.QuodLibet
        music = org.gnome.Rhythmbox3 org.clementine_player.Clementine
        music player = org.gnome.Rhythmbox3 io.github.quodlibet.QuodLibet
        itunes = org.gnome.Rhythmbox3 org.clementine_player.Clementine
        totem = org.gnome.Totem
        videos = org.gnome.Totem
        video player = org.gnome.Totem vlc mpv
        celluloid = io.github.celluloid_player.Celluloid
        gnome calc = org.gnome.Calculator
        vector graphics editor = org.inkscape.Inkscape
        supertuxkart = supertuxkart
        super tux kart = supertuxkart
        tux kart = supertuxkart
        supertux = supertux2
        super tux = supertux2 supertuxkart
        supertux 2 = supertux2
        minetest = net.minetest.minetest
        mine test = net.minetest.minetest
        minecraft = - net.minetest.minetest
        0ad = 0ad
        0 A.D. = 0ad
        0 ad = 0ad
        gnome chess = org.gnome.Chess
        chess = org.gnome.Chess
        aisleriot = sol
        aisleriot solitaire = sol
        solitaire = sol org.kde.kpat
        patience = sol org.kde.kpat
        kpatience = org.kde.kpat
        kpat = org.kde.kpat
        gnome sudoku = org.gnome.Sudoku
        sudoku = org.gnome.Sudoku
        gnome mines = org.gnome.Mines
        mines = org.gnome.Mines
        minesweeper = org.gnome.Mines
        telegram = telegramdesktop org.telegram.desktop
        telegram desktop = telegramdesktop org.telegram.desktop
        hexchat = io.github.Hexchat
        irc = io.github.Hexchat -
        pidgin = pidgin
        transmission = transmission-gtk
        transmission-gtk = transmission-gtk
        torrent = transmission-gtk org.qbittorrent.qBittorrent
        bittorrent = transmission-gtk org.qbittorrent.qBittorrent
        qbittorrent = org.qbittorrent.qBittorrent
        utorrent = transmission-gtk org.qbittorrent.qBittorrent
        evolution = org.gnome.Evolution
        geary = org.gnome.Geary
        darktable = org.darktable.darktable
        dark table = org.darktable.darktable
        blender = blender
        blendr = blender
        scratch = scratch
        tux paint = tuxpaint
        tuxpaint = tuxpaint
        paint = tuxpaint
        gcompris = org.kde.gcompris
        gcompris-qt = org.kde.gcompris
        org.mozilla.firefox = - firefox-esr
        firefox-esr = firefox-esr
        org.gnome.Calculator = org.gnome.Calculator
        ORG.GNOME.NAUTILUS = org.gnome.Nautilus
        libreoffice-writer = libreoffice-writer
        tor browser = -
        whatsapp = -
        spotify = -
        discord = -
        vs code = -
        fortnite = -
        roblox = -
        asdfgh = -
        zoom = -
        kat = org.kde.kate
        gedti = org.gnome.gedit
        chrmoium = chromium
        libreofice writer = libreoffice-writer
        supertuxcart = supertuxkart
        """
}

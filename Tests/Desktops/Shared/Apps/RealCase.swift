import STContracts
import STDesktop
import Testing

/// A real window, and the app to which it belongs.
struct RealCase: CustomTestStringConvertible {
    var testDescription: String
    var instance: String?
    var windowClass: String?
    var desktopFile: String?
    var facts: ProcessFacts?
    var app: String
    var clue: AppClue

    /// Three lines each: the description; `instance | class | desktop file | process`; the app and its clue.
    static let all: [RealCase] = {
        let lines = table.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        return stride(from: 0, to: lines.count - 2, by: 3).compactMap {
            RealCase(Array(lines[$0..<($0 + 3)]))
        }
    }()

    private init?(_ lines: [String]) {
        let window = lines[1].split(separator: " | ").map { $0 == "-" ? nil : String($0) }
        let answer = lines[2].split(separator: " ").map(String.init)
        guard window.count == 4, answer.count == 2, let clue = AppClue(rawValue: answer[1]) else {
            return nil
        }
        testDescription = lines[0]
        instance = window[0]
        windowClass = window[1]
        desktopFile = window[2]
        facts = window[3].map(Self.facts)
        app = answer[0]
        self.clue = clue
    }

    /// Reads a path and further facts of the process: `args=a,b`, `flatpak=`, `snap=`, `unit=` and so on.
    private static func facts(_ text: String) -> ProcessFacts {
        let words = text.split(separator: " ")
        var values: [Substring: String] = [:]
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            values[parts[0]] = parts.count > 1 ? String(parts[1]) : ""
        }
        return ProcessFacts(
            executable: words.first.map(String.init),
            isDeleted: values["deleted"] != nil,
            arguments: (values["args"] ?? "").split(separator: ",").map(String.init),
            unit: values["unit"],
            flatpak: values["flatpak"],
            snap: values["snap"],
            appImage: values["appImage"],
            steamGame: values["steamGame"]
        )
    }

    private static let table = #"""
        Firefox of Debian
            Navigator | firefox-esr | - | /usr/lib/firefox-esr/firefox-esr
            firefox-esr desktop_entry
        Firefox on Wayland, no process known
            - | firefox-esr | - | -
            firefox-esr desktop_entry
        Firefox as a Flatpak, beside that of Debian
            Navigator | firefox | - | /app/lib/firefox/firefox flatpak=org.mozilla.firefox
            org.mozilla.firefox window_class
        a Flatpak whose window says what the system's says
            Navigator | firefox-esr | - | /app/lib/firefox/firefox flatpak=org.mozilla.firefox
            org.mozilla.firefox flatpak
        Chrome
            google-chrome | Google-chrome | - | /opt/google/chrome/chrome
            google-chrome window_class
        a site installed in Chrome
            crx_abcdef | Google-chrome | - | /opt/google/chrome/chrome args=chrome,--app-id=abcdef
            chrome-abcdef-Default window_class
        a site in Chrome that has no entry
            crx_zzz | Google-chrome | - | /opt/google/chrome/chrome
            google-chrome window_class
        a site by an entry of one's own
            study | Study | - | /opt/google/chrome/chrome args=chrome,--app=https://study.example.org
            study-site window_class
        a whole browser by the entry for a site
            study | Study | - | /opt/google/chrome/chrome args=chrome,--class=Study
            chrome executable
        Nautilus by its GTK id
            org.gnome.Nautilus | Org.gnome.Nautilus | org.gnome.Nautilus | /usr/bin/nautilus
            org.gnome.Nautilus desktop_entry
        Nautilus by its class alone
            - | nautilus | - | /usr/bin/nautilus
            org.gnome.Nautilus window_class
        a terminal's server
            gnome-terminal-server | Gnome-terminal | org.gnome.Terminal | /usr/libexec/gnome-terminal-server
            org.gnome.Terminal desktop_entry
        a terminal with another class
            htop | htop | - | /usr/bin/alacritty args=alacritty,--class,htop
            Alacritty executable
        a terminal that calls itself Firefox
            firefox-esr | firefox-esr | - | /usr/bin/xterm args=xterm,-class,firefox-esr
            debian-xterm executable
        foot with an app id of no entry
            - | notes | - | /usr/bin/foot
            foot executable
        XTerm
            xterm | XTerm | - | /usr/bin/xterm
            debian-xterm window_class
        LibreOffice Writer
            libreoffice | libreoffice-writer | - | /usr/lib/libreoffice/program/soffice.bin
            libreoffice-writer desktop_entry
        LibreOffice's start
            libreoffice | libreoffice-startcenter | - | /usr/lib/libreoffice/program/soffice.bin
            libreoffice-startcenter desktop_entry
        Visual Studio Code
            code | Code | - | /usr/share/code/code
            code window_class
        Obsidian, run by Electron
            obsidian | obsidian | - | /usr/lib/electron25/electron args=electron,/usr/lib/obsidian/app.asar
            obsidian desktop_entry
        an Electron app without a class
            - | electron | - | /usr/lib/electron25/electron args=electron,/usr/lib/obsidian/app.asar
            obsidian executable
        Anki, run by Python
            anki | Anki | - | /usr/bin/python3.11 args=python3,/usr/bin/anki
            anki window_class
        a script of one's own
            - | - | - | /usr/bin/python3.11 args=python3,/home/u/game.py
            game executable
        IntelliJ, run by Java
            sun-awt-X11-XFramePeer | jetbrains-idea | - | /opt/idea/jbr/bin/java args=java,-cp,x,com.intellij.idea.Main
            jetbrains-idea desktop_entry
        a Java game without an entry
            sun-awt-X11-XFramePeer | sun-awt-X11-XFramePeer | - | /usr/lib/jvm/java-17/bin/java args=java,-Xmx2G,-jar,/home/u/.minecraft/launcher.jar
            launcher executable
        Java with a class path
            sun-awt-X11-XFramePeer | - | - | /usr/lib/jvm/j/bin/java args=java,-cp,a.jar:b.jar,net.minecraft.client.main.Main
            net.minecraft.client.main.Main executable
        Wine with an entry
            notes.exe | notes.exe | - | /usr/lib/wine/wine64-preloader args=C:\Notes\notes.exe
            wine-Programs-Notes window_class
        Wine without one
            game.exe | game.exe | - | /usr/lib/wine/wine64-preloader args=C:\Games\game.exe
            game.exe executable
        a game of Steam for Windows
            steam_app_220 | steam_app_220 | - | /home/u/.steam/steamapps/common/Proton/files/bin/wine64-preloader
            steam_app_220 window_class
        a game of Steam for Linux
            hl2_linux | hl2_linux | - | /home/u/.local/share/Steam/steamapps/common/HL2/hl2_linux steamGame=220
            steam_app_220 executable
        Firefox that calls itself a game
            steam_app_1 | steam_app_1 | - | /usr/lib/firefox-esr/firefox-esr
            firefox-esr executable
        Steam itself
            steamwebhelper | steam | - | /home/u/.local/share/Steam/ubuntu12_64/steamwebhelper
            steam desktop_entry
        an AppImage with an entry
            joplin | Joplin | - | /tmp/.mount_JoplinAbc/joplin appImage=/home/u/Apps/Joplin-2.AppImage
            Joplin desktop_entry
        an AppImage without one
            krita | krita | - | /tmp/.mount_KritaX/usr/bin/krita appImage=/home/u/Krita-5.AppImage
            Krita-5 executable
        a snap by its class
            chromium | chromium | - | /snap/chromium/1/usr/lib/chromium/chrome snap=chromium
            chromium_chromium window_class
        a snap by its process
            x | y | - | /snap/discord/1/discord snap=discord
            discord_discord snap
        a snap without an entry
            - | - | - | /snap/foo/1/bar snap=foo
            foo snap
        a Flatpak's component
            libreoffice | org.libreoffice.LibreOffice.writer | - | /app/libreoffice/program/soffice.bin flatpak=org.libreoffice.LibreOffice
            org.libreoffice.LibreOffice.writer desktop_entry
        a Flatpak that is not installed any more
            x | x | - | /app/bin/x flatpak=net.example.Gone
            net.example.Gone flatpak
        a scope of GNOME's
            - | - | - | /usr/lib/firefox-esr/firefox-esr unit=app-gnome-firefox\x2desr-2345.scope
            firefox-esr scope
        a scope of KDE's
            - | - | - | /usr/bin/kate unit=app-org.kde.kate@6f0d.service
            org.kde.kate scope
        a terminal's child in its scope
            - | - | - | /usr/games/minetest unit=app-gnome-org.gnome.Console-77.scope
            minetest executable
        a stranger in a terminal's scope
            - | - | - | /home/u/bin/mygame unit=app-gnome-org.gnome.Console-77.scope
            mygame executable
        a helper in the scope of its app
            - | - | - | /usr/lib/vendor/helper unit=app-gnome-firefox\x2desr-5.scope
            firefox-esr scope
        a program in a scope that was made up
            - | - | - | /usr/games/minetest unit=app-gnome-code-5.scope
            minetest executable
        a script in a scope that was made up
            - | - | - | /usr/bin/python3.11 args=python3,/home/u/game.py unit=app-gnome-anki-5.scope
            game executable
        by what the entry starts
            - | - | - | /usr/bin/gimp-2.10
            gimp executable
        a program without an entry
            - | - | - | /home/u/bin/doom
            doom executable
        a game of one's own that calls itself Firefox
            Navigator | firefox-esr | - | /home/u/bin/doom
            doom executable
        a copied entry for a program of the system
            homework | homework | - | /usr/games/minetest
            minetest executable
        an app that was replaced while it ran
            vlc | vlc | - | /usr/bin/vlc deleted=yes
            vlc desktop_entry
        nothing but a class
            oddity | Oddity | - | -
            Oddity itself
        nothing at all
            - | - | - | -
            unknown itself
        VirtualBox's machine
            VirtualBox Machine | VirtualBox Machine | - | /usr/lib/virtualbox/VirtualBoxVM
            VirtualBoxVM executable
        a family of Qt's
            kate | kate | org.kde.kate | /usr/bin/kate
            org.kde.kate desktop_entry
        Mousepad
            mousepad | Mousepad | - | /usr/bin/mousepad
            mousepad window_class
        """#
}

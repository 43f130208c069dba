import Testing

@testable import STDesktop

@Suite("Unit, snap and Flatpak names in /proc")
struct UnitNameTests {
    @Test(
        "The app's ID is found in the name of its systemd unit",
        arguments: [
            ("app-gnome-org.gnome.Maps-1234.scope", "org.gnome.Maps"),
            ("app-gnome-firefox\\x2desr-1234.scope", "firefox-esr"),
            ("app-org.kde.kate@0f3a.service", "org.kde.kate"), ("app-foot-99.scope", "foot"),
            ("app-flatpak-org.mozilla.firefox-77.scope", "org.mozilla.firefox"),
            ("app-gnome-libreoffice-writer-5.scope", "libreoffice-writer"),
            ("app-dbus\\x2d:1.2\\x2dorg.gnome.Maps.service", "org.gnome.Maps"),
            ("app-dbus\\x2d:1.2\\x2dorg.gnome.Maps@0.service", "org.gnome.Maps"),
        ]
    )
    func units(unit: String, app: String) {
        #expect(ScopeName.candidates(unit).contains(app))
    }

    @Test(
        "A unit that belongs to no app yields no app ID",
        arguments: ["session-2.scope", "app-x.slice", "app-.scope", "app-1.scope", ""]
    )
    func none(unit: String) {
        #expect(ScopeName.candidates(unit).isEmpty)
    }

    @Test("Invalid escapes in names of units stay unchanged")
    func escapes() {
        #expect(ScopeName.unescaped("a\\x2db\\x\\x2\\xzz\\") == "a-b\\x\\x2\\xzz\\")
        #expect(ScopeName.unescaped("\\x00") == "\\x00")
    }

    @Test("Units and snaps are read from cgroups of v1 and v2")
    func groups() {
        let user = "/user.slice/user-1000.slice/user@1000.service/app.slice"
        #expect(ProcessFacts.unit(in: "0::\(user)/app-gnome-a-1.scope\n") == "app-gnome-a-1.scope")
        #expect(
            ProcessFacts.unit(in: "1:name=systemd:\(user)/app-gnome-a-1.scope/inner\n")
                == "app-gnome-a-1.scope"
        )
        #expect(ProcessFacts.unit(in: "0::/user.slice/session-2.scope\n") == nil)
        #expect(ProcessFacts.snap(in: "0::\(user)/snap.firefox.firefox-1a.scope\n") == "firefox")
        #expect(ProcessFacts.snap(in: "0::\(user)/snap..x\n") == nil)
    }

    @Test("A snap or Flatpak counts only for programs that belong to it")
    func boxed() {
        let groups = "0::/user.slice/snap.firefox.firefox-1a.scope\n"
        let snap = { ProcessFacts.snap(in: groups, executable: $0, isBoxed: $1) }
        #expect(snap("/home/u/doom", false) == nil)
        #expect(snap("/usr/bin/chromium", false) == nil)
        #expect(snap("/usr/bin/python3", true) == "firefox")
        #expect(snap("/snap/firefox/1/firefox", false) == "firefox")
        #expect(snap("/snap/chromium/1/chrome", true) == "chromium")
        #expect(snap("/snap/core22/1/usr/bin/bash", true) == "firefox")
        #expect(
            ProcessFacts.isFlatpakExecutable("org.example.A", "/app/bin/a")
                && ProcessFacts.isFlatpakExecutable("org.example.A", nil)
        )
        #expect(ProcessFacts.isFlatpakExecutable("a.B", "/home/u/.var/app/a.B/data/game"))
        #expect(!ProcessFacts.isFlatpakExecutable("a.B", "/home/u/doom"))
    }

    @Test("The Flatpak ID is read from the sandbox file, and an invalid one is ignored")
    func flatpak() {
        #expect(
            ProcessFacts.flatpak(in: "[Instance]\nname=a.b\n[Application]\nname=org.example.A\n")
                == "org.example.A"
        )
        for text in [
            "", "name=a.b", "[Application]\nname=", "[Application]\nname=a b.c",
            "[Application]\nname=../../x.y",
        ] {
            #expect(ProcessFacts.flatpak(in: text) == nil, "\(text)")
        }
    }
}

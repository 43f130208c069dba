import STContracts
import STDesktop
import Testing

@Suite("Folders of desktop entries")
struct AppEntryFoldersTests {
    @Test("Folders of desktop entries in the home folder come last, in whatever order the session lists them")
    func order() {
        let environment = [
            "HOME": "/home/kid", "XDG_DATA_HOME": "/home/kid/data",
            "XDG_DATA_DIRS": "/home/kid/first:/usr/share/:relative:/usr/local/share",
        ]
        let folders = AppEntryFolders.list("", isVirtual: false, environment: environment)

        #expect(
            folders == [
                "/usr/share/applications", "/usr/local/share/applications",
                "/var/lib/flatpak/exports/share/applications", "/var/lib/snapd/desktop/applications",
                "/home/kid/data/applications", "/home/kid/first/applications",
                "/home/kid/.local/share/flatpak/exports/share/applications",
            ]
        )
        let origins = folders.map { AppEntryFolders.origin(of: $0, environment: environment) }
        #expect(origins == [.system, .system, .flatpak, .snap, .user, .user, .flatpak])
        #expect(
            folders.map { AppEntryFolders.isOwn($0, environment: environment) } == [
                false, false, false, false, true, true, true,
            ]
        )
    }

    @Test("The setting of entry folders replaces the default, and a virtual clock has no default")
    func setting() {
        let list = { (setting: String, isVirtual: Bool) in
            AppEntryFolders.list(setting, isVirtual: isVirtual, environment: [:])
        }
        #expect(list("/a:/b", true) == ["/a", "/b"])
        #expect(list("none", false).isEmpty && list("", true).isEmpty)
        #expect(list("", false).first == "/usr/local/share/applications")
    }
}

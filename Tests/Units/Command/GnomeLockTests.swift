import Testing

@testable import STCommandProtect

@Suite("The lock of GNOME's settings")
struct GnomeLockTests {
    @Test("The database of Screen Time is the last entry of the dconf profile")
    func profile() {
        #expect(GnomeSettingsLock.profile("", "ours") == ["user-db:user", "system-db:ours"])
        let text = "service-db:keyfile/user\n  system-db:local\n# a note\nfile-db:/usr/x\n"
        #expect(
            GnomeSettingsLock.profile(text, "ours") == [
                "service-db:keyfile/user", "system-db:local", "file-db:/usr/x", "system-db:ours",
            ]
        )
    }

    @Test("The locked settings enable the extension of Screen Time and the account's own extensions")
    func values() {
        #expect(
            GnomeSettingsLock.values(["dash@example.org"]) == [
                "[org/gnome/shell]",
                "enabled-extensions=['screentime@screentime.dev', 'dash@example.org']",
                "disabled-extensions=@as []", "disable-user-extensions=false", "development-tools=false",
            ]
        )
    }
}

import Testing

@testable import STCommandProtect

@Suite("The lock of GNOME's settings")
struct GnomeLockTests {
    @Test("our database is the last of the computer's own profile, whose lock holds")
    func profile() {
        #expect(GnomeSettingsLock.profile("", "ours") == ["user-db:user", "system-db:ours"])
        let text = "service-db:keyfile/user\n  system-db:local\n# a note\nfile-db:/usr/x\n"
        #expect(
            GnomeSettingsLock.profile(text, "ours") == [
                "service-db:keyfile/user", "system-db:local", "file-db:/usr/x", "system-db:ours",
            ]
        )
    }

    @Test("the extension is on, with those of the account")
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

/// A program that plays, as MPRIS tells of it.
package struct MediaPlayer: Sendable, Hashable {
    /// What comes after `org.mpris.MediaPlayer2.` in its name, such as `firefox.instance_1_35`.
    package var name: String
    package var desktopEntry: String?
    /// In a sandbox that of the sandbox's proxy.
    package var pid: Int32?

    package init(name: String, desktopEntry: String? = nil, pid: Int32? = nil) {
        self.name = name
        self.desktopEntry = desktopEntry
        self.pid = pid
    }
}

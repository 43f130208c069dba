/// The app in front, as far as presence depends on it.
package struct FrontApp: Sendable, Equatable {
    package var id: String
    /// All that belong to its windows, as well as that is known.
    package var pids: Set<Int32>
    package var isFullscreen: Bool
    /// Those of other apps' windows: what they ask for is not for this one.
    package var others: Set<Int32>

    package init(
        id: String,
        pids: Set<Int32> = [],
        isFullscreen: Bool = false,
        others: Set<Int32> = []
    ) {
        self.id = id
        self.pids = pids
        self.isFullscreen = isFullscreen
        self.others = others
    }

    /// By its process, by the desktop entry it says it has, or by its name on the bus, which a sandbox grants to
    /// nobody else.
    func isPlaying(_ player: MediaPlayer) -> Bool {
        if let pid = player.pid, pids.contains(pid) { return true }
        let id = id.lowercased()
        if let entry = player.desktopEntry, entry.lowercased() == id { return true }
        let name = player.name.lowercased()
        return name == id || name.hasPrefix(id + ".instance")
    }
}

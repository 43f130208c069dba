/// The programs of desktops that say when they lock the screen, or blank it.
struct ScreenSavers {
    /// Their names, which are their interfaces too, and where each has its object.
    static let paths = [
        "org.freedesktop.ScreenSaver": "/org/freedesktop/ScreenSaver",
        "org.gnome.ScreenSaver": "/org/gnome/ScreenSaver",
        "org.cinnamon.ScreenSaver": "/org/cinnamon/ScreenSaver",
        "org.mate.ScreenSaver": "/org/mate/ScreenSaver",
        "org.xfce.ScreenSaver": "/org/xfce/ScreenSaver",
    ]

    private struct Saver {
        var owner: String
        /// Nil until it said anything: not each that has the name tells.
        var isActive: Bool?
    }

    private var savers: [String: Saver] = [:]

    var isActive: Bool { savers.values.contains { $0.isActive == true } }

    /// Those that tell.
    var names: [String] { savers.filter { $0.value.isActive != nil }.keys.sorted() }

    mutating func appeared(_ name: String, _ owner: String) { savers[name] = Saver(owner: owner) }

    mutating func gone(_ name: String) { savers[name] = nil }

    /// Anybody can send such a signal: only the one with the name counts.
    mutating func set(_ name: String, _ isActive: Bool, by sender: String) {
        guard savers[name]?.owner == sender else { return }
        savers[name]?.isActive = isActive
    }

    /// The answer to a question; what it told by itself meanwhile is newer.
    mutating func answered(_ name: String, _ isActive: Bool, by sender: String) {
        guard let saver = savers[name], saver.owner == sender, saver.isActive == nil else { return }
        savers[name]?.isActive = isActive
    }
}

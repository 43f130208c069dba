/// The media players on the session's bus, by their names there.
struct PlayerBook {
    static let root = "org.mpris.MediaPlayer2"
    static let prefix = root
    static let interface = "org.mpris.MediaPlayer2.Player"
    static let path = "/org/mpris/MediaPlayer2"
    /// A person never hears more of them at the same time.
    static let playersMax = 64
    /// A player that has not said by then whose it is never will.
    private static let entriesAskedMax = 3

    private struct Player {
        var owner: String
        var entry: String?
        var pid: Int32?
        var status: String?
        /// Told by itself, so that an older answer does not overwrite it.
        var wasTold = false
        var isAsking = true
        var asksAgain = false
        var entriesAsked = 0
    }

    private var players: [String: Player] = [:]

    var count: Int { players.count }

    /// A proxy that repeats what another player says would make a second one of it.
    static func isPlayer(_ name: String) -> Bool {
        name.hasPrefix(root + ".") && name.utf8.count > root.utf8.count + 1
            && name != "\(root).playerctld"
    }

    var playing: [MediaPlayer] {
        players.filter { $0.value.status == "Playing" }.sorted { $0.key < $1.key }.map { name, player in
            MediaPlayer(
                name: HeardText.safe(String(name.dropFirst(Self.root.count + 1))) ?? "",
                desktopEntry: player.entry,
                pid: player.pid
            )
        }
    }

    func names(of owner: String) -> [String] {
        players.filter { $0.value.owner == owner }.keys.sorted()
    }

    /// False when it is known already, or there are too many.
    mutating func appeared(_ name: String, _ owner: String) -> Bool {
        guard players[name]?.owner != owner, players[name] != nil || players.count < Self.playersMax else {
            return false
        }
        players[name] = Player(owner: owner)
        return true
    }

    mutating func gone(_ name: String) { players[name] = nil }

    /// Forgets all others.
    mutating func keep(_ names: Set<String>) { players = players.filter { names.contains($0.key) } }

    mutating func set(_ name: String, _ owner: String, status: String) {
        guard players[name]?.owner == owner else { return }
        players[name]?.status = HeardText.safe(status)
        players[name]?.wasTold = true
    }

    func wantsEntry(_ name: String) -> Bool {
        players[name].map {
            $0.status == "Playing" && $0.entry == nil && $0.entriesAsked < Self.entriesAskedMax
        } ?? false
    }

    /// False while it is being asked: then it will be asked once more.
    mutating func beginAsking(_ name: String) -> Bool {
        guard players[name]?.isAsking == false else {
            players[name]?.asksAgain = true
            return false
        }
        players[name]?.isAsking = true
        players[name]?.wasTold = false
        return true
    }

    /// True when it is to be asked once more.
    mutating func endAsking(_ name: String, _ owner: String) -> Bool {
        guard let player = players[name], player.owner == owner else { return false }
        players[name]?.isAsking = false
        players[name]?.asksAgain = false
        return player.asksAgain && beginAsking(name)
    }

    mutating func know(_ name: String, _ owner: String, entry: String?, pid: Int32?, status: String?) {
        guard var player = players[name], player.owner == owner else { return }
        if entry == nil { player.entriesAsked += 1 }
        player.entry = entry ?? player.entry
        player.pid = pid ?? player.pid
        if !player.wasTold { player.status = HeardText.safe(status) ?? player.status }
        players[name] = player
    }
}

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

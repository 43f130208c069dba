/// The media players on the session bus, by their bus names.
struct MediaPlayers {
    static let root = "org.mpris.MediaPlayer2"
    static let prefix = root
    static let interface = "org.mpris.MediaPlayer2.Player"
    static let path = "/org/mpris/MediaPlayer2"
    /// Upper bound on players. No person listens to more at the same time.
    static let playersMax = 64
    /// Upper bound on requests for a player's desktop entry. A player that has not reported it by then never will.
    private static let entryRequestsMax = 3

    private struct Player {
        var owner: String
        var entry: String?
        var pid: Int32?
        var status: String?
        /// True if the player itself reported its status, so that an older reply does not overwrite it.
        var wasReported = false
        var isRequesting = true
        var needsRequest = false
        var entryRequests = 0
    }

    private var players: [String: Player] = [:]

    var count: Int { players.count }

    /// Returns true for names of media players. playerctld is excluded, because it repeats the reports of other players.
    static func isPlayer(_ name: String) -> Bool {
        name.hasPrefix(root + ".") && name.utf8.count > root.utf8.count + 1
            && name != "\(root).playerctld"
    }

    var playing: [MediaPlayer] {
        players.filter { $0.value.status == "Playing" }.sorted { $0.key < $1.key }.map { name, player in
            MediaPlayer(
                name: ReceivedText.sanitized(String(name.dropFirst(Self.root.count + 1))) ?? "",
                desktopEntry: player.entry,
                pid: player.pid
            )
        }
    }

    func names(of owner: String) -> [String] {
        players.filter { $0.value.owner == owner }.keys.sorted()
    }

    /// Returns false if the player is already known or there are too many players.
    mutating func add(_ name: String, _ owner: String) -> Bool {
        guard players[name]?.owner != owner, players[name] != nil || players.count < Self.playersMax else {
            return false
        }
        players[name] = Player(owner: owner)
        return true
    }

    mutating func remove(_ name: String) { players[name] = nil }

    /// Removes all other players.
    mutating func retain(_ names: Set<String>) { players = players.filter { names.contains($0.key) } }

    mutating func set(_ name: String, _ owner: String, status: String) {
        guard players[name]?.owner == owner else { return }
        players[name]?.status = ReceivedText.sanitized(status)
        players[name]?.wasReported = true
    }

    func needsEntry(_ name: String) -> Bool {
        players[name].map {
            $0.status == "Playing" && $0.entry == nil && $0.entryRequests < Self.entryRequestsMax
        } ?? false
    }

    /// Returns false while a request is pending. The player is then queried again afterwards.
    mutating func beginRequest(_ name: String) -> Bool {
        guard players[name]?.isRequesting == false else {
            players[name]?.needsRequest = true
            return false
        }
        players[name]?.isRequesting = true
        players[name]?.wasReported = false
        return true
    }

    /// Returns true if the player must be queried again.
    mutating func endRequest(_ name: String, _ owner: String) -> Bool {
        guard let player = players[name], player.owner == owner else { return false }
        players[name]?.isRequesting = false
        players[name]?.needsRequest = false
        return player.needsRequest && beginRequest(name)
    }

    mutating func update(_ name: String, _ owner: String, entry: String?, pid: Int32?, status: String?) {
        guard var player = players[name], player.owner == owner else { return }
        if entry == nil { player.entryRequests += 1 }
        player.entry = entry ?? player.entry
        player.pid = pid ?? player.pid
        if !player.wasReported { player.status = ReceivedText.sanitized(status) ?? player.status }
        players[name] = player
    }
}

/// A program that plays media, as reported over MPRIS.
package struct MediaPlayer: Sendable, Hashable {
    /// The part of the bus name after `org.mpris.MediaPlayer2.`, such as `firefox.instance_1_35`.
    package var name: String
    package var desktopEntry: String?
    /// The process. For a sandboxed player, the process of the sandbox's proxy.
    package var pid: Int32?

    package init(name: String, desktopEntry: String? = nil, pid: Int32? = nil) {
        self.name = name
        self.desktopEntry = desktopEntry
        self.pid = pid
    }
}

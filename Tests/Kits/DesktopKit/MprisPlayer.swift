package import STDBus
package import STTestSupport

/// A media player for the bus, in its own process that can crash.
package final class MprisPlayer: Sendable {
    private static let root = "org.mpris.MediaPlayer2"
    private static let player = "org.mpris.MediaPlayer2.Player"

    package let peer: MockPeer

    package var pid: Int32 { peer.pid }

    /// `name` is the part of its bus name after `org.mpris.MediaPlayer2.`.
    package init(
        _ bus: SessionBus,
        _ scratch: ScratchDirectory,
        name: String,
        desktopEntry: String? = nil,
        status: String = "Stopped"
    ) async throws {
        // As with real players, the name exists from the start and the properties a little later.
        peer = try await MockPeer(
            bus,
            name: "\(Self.root).\(name)",
            path: "/org/mpris/MediaPlayer2",
            arguments: ["--session", "\(Self.root).\(name)", "/org/mpris/MediaPlayer2", Self.player],
            output: scratch.file("player-\(name).log")
        )
        var entries: [(key: String, value: DBusValue)] = [("Identity", .variant(.string(name)))]
        if let desktopEntry { entries.append(("DesktopEntry", .variant(.string(desktopEntry)))) }
        try await peer.call("AddProperties", [.string(Self.root), .dictionary(value: "v", entries)])
        let state = DBusValue.dictionary(value: "v", [("PlaybackStatus", .variant(.string(status)))])
        try await peer.call("AddProperties", [.string(Self.player), state])
        try await set("PlaybackStatus", .string(status))
    }

    package func play() async throws { try await set("PlaybackStatus", .string("Playing")) }

    package func pause() async throws { try await set("PlaybackStatus", .string("Paused")) }

    /// Sets a property, also to a value of a wrong type.
    package func set(_ property: String, _ value: DBusValue) async throws {
        try await peer.update(Self.player, [(property, value)])
    }

    package func kill() { peer.kill() }
}

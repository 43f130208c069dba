import STDBus
import STDesktopKit
import STPlatform
import STTestSupport
import Testing

@Suite("Simulated logind and media players", .enabled(if: LogindMock.isAvailable, "needs python3-dbusmock"))
struct DesktopKitTests {
    private static let properties = "org.freedesktop.DBus.Properties"

    private func property(
        _ bus: DBusConnection,
        name: String,
        path: String,
        interface: String,
        property: String
    )
        async throws -> DBusValue?
    {
        try await bus.call(
            .init(
                name,
                path: path,
                interface: Self.properties,
                member: "Get",
                arguments: [.string(interface), .string(property)]
            ),
            withinMs: 20_000
        ).first
    }

    @Test("The simulated logind has sessions, locks and inhibitors")
    func logind() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch)
        let logind = try await LogindMock(buses.system, scratch)
        defer { logind.kill() }
        let bus = try DBusConnection(address: buses.system.address)
        defer { bus.close() }
        try await logind.addSession("c7", uid: 1_000, pid: 4_242)
        try await logind.setDisplay(ofUser: 1_000, "c7")
        let login = "org.freedesktop.login1"
        let found = try await bus.call(
            .init(
                login,
                path: "/org/freedesktop/login1",
                interface: "\(login).Manager",
                member: "GetSessionByPID",
                arguments: [.uint32(4_242)]
            ),
            withinMs: 20_000
        )
        #expect(found.first?.text == LogindMock.path(of: "c7"))
        let path = LogindMock.path(of: "c7")
        #expect(
            try await property(
                bus,
                name: login,
                path: path,
                interface: "\(login).Session",
                property: "LockedHint"
            )?.flag == false
        )
        try await logind.setLocked("c7", true)
        #expect(
            try await property(
                bus,
                name: login,
                path: path,
                interface: "\(login).Session",
                property: "LockedHint"
            )?.flag == true
        )

        try await logind.hold("idle:sleep", who: "Player", why: "A film", pid: 99)
        let manager = "\(login).Manager"
        let root = "/org/freedesktop/login1"
        #expect(
            try await property(bus, name: login, path: root, interface: manager, property: "BlockInhibited")?
                .text == "idle:sleep"
        )
        #expect(try await logind.inhibitors().map(\.who) == ["Player"])
        try await logind.release(who: "Player")
        #expect(
            try await property(bus, name: login, path: root, interface: manager, property: "BlockInhibited")?
                .text == ""
        )
    }

    @Test("A simulated media player reports its status on the session bus")
    func player() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch)
        let player = try await MprisPlayer(buses.session, scratch, name: "films", desktopEntry: "org.films")
        defer { player.kill() }
        let bus = try DBusConnection(address: buses.session.address)
        defer { bus.close() }
        try await player.play()
        let status = try await property(
            bus,
            name: "org.mpris.MediaPlayer2.films",
            path: "/org/mpris/MediaPlayer2",
            interface: "org.mpris.MediaPlayer2.Player",
            property: "PlaybackStatus"
        )
        #expect(status?.text == "Playing")
    }
}

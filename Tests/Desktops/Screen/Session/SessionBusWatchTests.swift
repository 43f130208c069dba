import Glibc
import STDBus
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Synchronization
import Testing

@Suite("Events from the session bus", .enabled(if: MockPeer.isAvailable, "needs python3-dbusmock"))
struct SessionBusWatchTests {
    private func run(
        rules: String = "",
        _ body: (SessionBench, DBusPair) async throws -> Void
    ) async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let buses = try DBusPair(scratch, rules: rules)
        defer { buses.stop() }
        let bench = try SessionBench(scratch, buses.environment)
        await bench.watch.start()
        do {
            try await body(bench, buses)
        } catch {
            await bench.stop()
            throw error
        }
        await bench.stop()
    }

    private func plays(_ bench: SessionBench, _ names: [String]) async throws {
        try await eventually(within: .seconds(60), "\(names) play") {
            guard bench.playing.map(\.name) == names else { throw NotYet("\(bench.playing)") }
        }
    }

    @Test(
        "Media players are reported when they start, pause, resume or crash, and if they played before the watch"
    )
    func players() async throws {
        try await run { bench, buses in
            let film = try await MprisPlayer(
                buses.session,
                bench.scratch,
                name: "films",
                desktopEntry: "org.example.films.desktop"
            )
            #expect(bench.playing.isEmpty)
            try await film.play()
            try await plays(bench, ["films"])
            try await eventually("the player's app and process are reported") {
                let wanted = MediaPlayer(name: "films", desktopEntry: "org.example.films", pid: film.pid)
                guard bench.playing == [wanted] else { throw NotYet("\(bench.playing)") }
            }
            try await film.pause()
            try await plays(bench, [])
            try await film.play()
            let music = try await MprisPlayer(buses.session, bench.scratch, name: "music", status: "Playing")
            defer { music.kill() }
            try await plays(bench, ["films", "music"])

            let late = try SessionBench(bench.scratch, buses.environment)
            await late.watch.start()
            try await plays(late, ["films", "music"])
            #expect(late.playing.first?.pid == film.pid)
            await late.stop()

            film.kill()
            try await plays(bench, ["music"])
        }
    }

    @Test(
        "A real media player is reported while it plays",
        .enabled(if: RealPlayer.isAvailable, "needs cmus")
    )
    func realPlayer() async throws {
        try await run { bench, buses in
            let player = try RealPlayer(buses.session, bench.scratch)
            defer { player.kill() }
            try await eventually("it has its name") {
                guard await bench.watch.facts().players == 1 else { throw NotYet("\(player.screen)") }
            }
            try player.play()
            try await plays(bench, ["cmus"])
            try await eventually("the player's process is reported") {
                guard bench.playing.first?.pid == player.pid else { throw NotYet("\(bench.playing)") }
            }
            #expect(bench.playing.map(\.pid) == [player.pid])
            try player.pause()
            try await plays(bench, [])
            #expect(await bench.watch.facts().players == 1, "one that pauses is still there")
            #expect(played(bench) == [["cmus"], []])
        }
    }

    /// Returns the lists of playing players in order, from the first that is not empty.
    private func played(_ bench: SessionBench) -> [[String]] {
        var lists: [[String]] = []
        for case .playing(let players, _) in bench.heard where (lists.last ?? []) != players.map(\.name) {
            lists.append(players.map(\.name))
        }
        return lists
    }

    @Test("After a restart of the session bus, players and notifications are observed again")
    func busRestarts() async throws {
        try await run { bench, buses in
            let film = try await MprisPlayer(buses.session, bench.scratch, name: "films", status: "Playing")
            try await plays(bench, ["films"])
            buses.session.stop()
            film.kill()
            try await plays(bench, [])
            #expect(await bench.watch.facts().sessionBusProblem != nil)
            try await eventually("the notification count is unavailable") {
                guard case .notKnown = await bench.watch.facts().notifications else {
                    throw NotYet("counted")
                }
            }
            try buses.session.start()
            let second = try await MprisPlayer(
                buses.session,
                bench.scratch,
                name: "films2",
                status: "Playing"
            )
            defer { second.kill() }
            try await plays(bench, ["films2"])
            try await eventually("they are counted") {
                guard await bench.watch.facts().notifications == .counted else { throw NotYet("not yet") }
            }
        }
    }

    @Test("Only the owner of a screen saver's name can report a lock, and the lock ends with its owner")
    func savers() async throws {
        try await run { bench, buses in
            let saver = "org.gnome.ScreenSaver"
            let liar = try DBusConnection(address: buses.session.address)
            try await liar.emit(
                path: "/org/gnome/ScreenSaver",
                saver,
                member: "ActiveChanged",
                arguments: [.bool(true)]
            )
            let real = try DBusConnection(address: buses.session.address)
            try await real.serve(path: "/org/gnome/ScreenSaver") { _ in .success([.bool(true)]) }
            try await real.requestName(saver, withinMs: 20_000)
            // The watch requests the state, because the screen saver was on before.
            _ = try await bench.hears(locked: true)
            try await liar.emit(
                path: "/org/gnome/ScreenSaver",
                saver,
                member: "ActiveChanged",
                arguments: [.bool(false)]
            )
            try await liar.emit(
                path: "/org/gnome/ScreenSaver",
                saver,
                member: "ActiveChanged",
                arguments: [.bool(true)]
            )
            try await real.emit(
                path: "/org/gnome/ScreenSaver",
                saver,
                member: "ActiveChanged",
                arguments: [.string("no")]
            )
            try await real.emit(path: "/org/gnome/ScreenSaver", saver, member: "ActiveChanged", arguments: [])
            try await real.emit(
                path: "/org/gnome/ScreenSaver",
                saver,
                member: "ActiveChanged",
                arguments: [.bool(false)]
            )
            _ = try await bench.hears(locked: false)
            try await real.emit(
                path: "/org/gnome/ScreenSaver",
                saver,
                member: "ActiveChanged",
                arguments: [.bool(true)]
            )
            try await eventually {
                guard locks(bench) == [true, false, true] else { throw NotYet("\(bench.heard)") }
            }
            #expect(await bench.watch.facts().screenSavers == [saver])
            real.close()
            try await eventually {
                guard locks(bench) == [true, false, true, false] else { throw NotYet("\(bench.heard)") }
            }
            liar.close()
        }
    }

    private func locks(_ bench: SessionBench) -> [Bool] {
        bench.heard.compactMap { if case .locked(let flag, _) = $0 { flag } else { nil } }
    }

    @Test("Malformed D-Bus signals change no media player")
    func malformed() async throws {
        try await run { bench, buses in
            let film = try await MprisPlayer(buses.session, bench.scratch, name: "films", status: "Playing")
            defer { film.kill() }
            try await plays(bench, ["films"])
            let path = "/org/mpris/MediaPlayer2"
            let properties = "org.freedesktop.DBus.Properties"
            let player = DBusValue.string("org.mpris.MediaPlayer2.Player")
            let liar = try DBusConnection(address: buses.session.address)
            defer { liar.close() }
            // Names that do not belong to players, and one without properties.
            for name in [
                "org.mpris.MediaPlayer2.playerctld", "org.mpris.MediaPlayer2.x", "org.mpris.MediaPlayer2x.y",
            ] {
                try await liar.requestName(name, withinMs: 20_000)
            }
            let stop = DBusValue.dictionary(value: "v", [("PlaybackStatus", .variant(.string("Stopped")))])
            let odd: [[DBusValue]] = [
                [player], [player, player, player], [player, stop], [player, stop, .strings([]), player],
                [player, .dictionary(value: "v", [("PlaybackStatus", .variant(.int32(7)))]), .strings([])],
                [player, .dictionary(value: "s", [("PlaybackStatus", .string("Playing"))]), .strings([])],
                [player, stop, .array(element: "i", [.int32(1)])],
                [player, stop, .strings([String(repeating: "x", count: 2 << 20)])],
                [player, stop, .array(element: "y", .init(repeating: .byte(1), count: 50_000))],
                [player, stop, .strings([])],
            ]
            for arguments in odd {
                try await liar.emit(path: path, properties, member: "PropertiesChanged", arguments: arguments)
            }
            let long = String(repeating: "\u{7}é", count: 5_000)
            try await film.set("PlaybackStatus", .string(long))
            try await plays(bench, [])
            try await film.play()
            try await plays(bench, ["films"])
            #expect(played(bench) == [["films"], [], ["films"]], "only the player itself ended its film")
            #expect(await bench.watch.facts().sessionBusProblem == nil)
        }
    }

    /// Returns a player with a name and an owner, whose replies the test chooses.
    private func player(_ buses: DBusPair, status: @escaping @Sendable () -> String) async throws
        -> DBusConnection
    {
        let owner = try DBusConnection(address: buses.session.address)
        try await owner.serve(path: Self.path) { call in
            switch call.arguments.last?.text {
            case "PlaybackStatus": .success([.variant(.string(status()))])
            // A player without this property would be called again for it.
            case "DesktopEntry": .success([.variant(.string("org.example.flood"))])
            default: .failure(Problem("test.unknown", verbatim: call.member))
            }
        }
        return owner
    }

    private static let path = "/org/mpris/MediaPlayer2"

    private func tell(_ status: String, _ owner: DBusConnection) async throws {
        let values = DBusValue.dictionary(value: "v", [("PlaybackStatus", .variant(.string(status)))])
        try await owner.emit(
            path: Self.path,
            "org.freedesktop.DBus.Properties",
            member: "PropertiesChanged",
            arguments: [.string("org.mpris.MediaPlayer2.Player"), values, .strings([])]
        )
    }

    @Test("A player that paused during a flood of signals is queried and reported as paused")
    func missed() async throws {
        try await run { bench, buses in
            let answer = Mutex("Playing")
            let owner = try await player(buses) { answer.withLock { $0 } }
            defer { owner.close() }
            try await owner.requestName("org.mpris.MediaPlayer2.flood", withinMs: 20_000)
            try await eventually("the player's app is reported") {
                guard bench.playing.map(\.desktopEntry) == ["org.example.flood"] else {
                    throw NotYet("\(bench.playing)")
                }
            }
            let heard = Mutex(0)
            let other = try DBusConnection(address: buses.session.address)
            defer { other.close() }
            try await other.match("type='signal',path='\(Self.path)'", withinMs: 20_000) { _ in
                heard.withLock { $0 += 1 }
            }
            // The loop does not read any events until all have arrived.
            let gate = try DescriptorPipe()
            bench.loop.post {
                var byte: UInt8 = 0
                _ = read(gate.readEnd.number, &byte, 1)
            }
            answer.withLock { $0 = "Paused" }
            for round in 0..<1_500 {
                try await tell(round == 1_499 ? "Paused" : "Playing", owner)
            }
            try await eventually(within: .seconds(60), "all changes are reported") {
                let count = heard.withLock { $0 }
                guard count == 1_500 else { throw NotYet("\(count)") }
            }
            #expect(bench.playing.count == 1)
            _ = write(gate.writeEnd.number, "x", 1)
            try await plays(bench, [])
        }
    }

    @Test("In a flood of signals at most 64 players are kept, memory stays bounded and the state correct")
    func flood() async throws {
        try await run { bench, buses in
            let owner = try await player(buses) { "Playing" }
            defer { owner.close() }
            for number in 0..<100 {
                try await owner.requestName("org.mpris.MediaPlayer2.flood\(number)", withinMs: 20_000)
            }
            try await eventually("no more than 64 players are reported") {
                guard bench.playing.count == 64 else { throw NotYet("\(bench.playing.count)") }
            }
            var grown: [Int64] = []
            for _ in 0..<3 {
                let before = ProcessMemory.sample(pid: getpid())?.pssBytes ?? 0
                for round in 0..<1_000 {
                    let status = round == 999 ? "Paused" : round.isMultiple(of: 2) ? "Stopped" : "Playing"
                    try await tell(status, owner)
                }
                grown.append((ProcessMemory.sample(pid: getpid())?.pssBytes ?? 0) - before)
            }
            // Dropped states are requested again, and the reply is that they play.
            try await eventually(within: .seconds(60), "it is quiet") {
                guard bench.playing.isEmpty || bench.playing.count == 64 else {
                    throw NotYet("\(bench.playing.count)")
                }
            }
            print("memory after each flood: \(grown) bytes more")
            // A leak grows with each flood. The other tests in this process do not allocate in step with the floods.
            #expect(grown.contains { $0 < 16 << 20 })
            for (status, count) in [("Paused", 0), ("Playing", 64)] {
                // Again each time, because dropped states are requested, and this player always replies that it plays.
                try await eventually("\(count) play") {
                    try await tell(status, owner)
                    guard bench.playing.count == count else { throw NotYet("\(bench.playing.count)") }
                }
            }
            let playing = try await eventually("all players have a name") {
                let playing = bench.playing
                guard Set(playing.map(\.name)).count == 64 else { throw NotYet("\(playing.count)") }
                return playing
            }
            #expect(playing.allSatisfy { $0.desktopEntry == "org.example.flood" })
        }
    }
}

import STDBus
import STPlatform

/// Watches the session bus for media players and active screen savers.
actor SessionBusWatch {
    private static let bus = "org.freedesktop.DBus"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let timeout = Duration.seconds(5)
    /// Minimum time between two requests to the same player.
    private static let pause = Duration.milliseconds(250)

    private let thread: LoopThread
    private let onEvent: @Sendable (SessionEvent) -> Void
    private var bus: DBusConnection?
    private var savers = ScreenSavers()
    private var players = MediaPlayers()
    private var wasLocked = false
    private var wasPlaying: [MediaPlayer] = []
    private(set) var busProblem: String? = "It is not known yet."

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ thread: LoopThread, _ tell: @escaping @Sendable (SessionEvent) -> Void) {
        self.thread = thread
        self.onEvent = tell
    }

    var playerCount: Int { players.count }
    var screenSavers: [String] { savers.names }

    /// Returns the process of a name on this bus.
    func pid(of sender: String) async -> Int32? {
        guard let bus else { return nil }
        return await Self.pid(of: sender, bus)
    }

    // MARK: - The connection

    func connectionDidOpen(_ bus: DBusConnection) async throws {
        self.bus = bus
        let inbox = SignalInbox(thread) { [weak self] batch in
            self?.assumeIsolated { $0.handle(batch, bus) }
        }
        let owners = "type='signal',sender='\(Self.bus)',member='NameOwnerChanged'"
        var rules = [
            "\(owners),arg0namespace='\(MediaPlayers.prefix)'",
            "type='signal',interface='\(Self.properties)',member='PropertiesChanged',"
                + "path='\(MediaPlayers.path)',arg0='\(MediaPlayers.interface)'",
        ]
        for name in ScreenSavers.paths.keys.sorted() {
            rules.append("\(owners),arg0='\(name)'")
            rules.append("type='signal',interface='\(name)',member='ActiveChanged'")
        }
        for rule in rules { try await bus.match(rule, withinMs: Self.timeout.ms) { inbox.append($0) } }
        try await refreshAll(bus)
        busProblem = nil
    }

    func connectionDidClose(_ problem: Problem) {
        bus = nil
        busProblem = problem.message
        savers = ScreenSavers()
        players = MediaPlayers()
        report(at: Stopwatch.bootTime())
    }

    func close() { bus = nil }

    private func refreshAll(_ bus: DBusConnection) async throws {
        let reply = try await bus.call(
            .init(Self.bus, path: "/org/freedesktop/DBus", interface: Self.bus, member: "ListNames"),
            withinMs: Self.timeout.ms
        )
        guard self.bus === bus else { return }
        let names = Set((reply.first?.elements ?? []).compactMap(\.text))
        savers = ScreenSavers()
        players.retain(names)
        for name in names.sorted() where MediaPlayers.isPlayer(name) || ScreenSavers.paths[name] != nil {
            let owner = try? await bus.call(
                .init(
                    Self.bus,
                    path: "/org/freedesktop/DBus",
                    interface: Self.bus,
                    member: "GetNameOwner",
                    arguments: [.string(name)]
                ),
                withinMs: Self.timeout.ms
            )
            guard self.bus === bus else { return }
            if let owner = owner?.first?.text { appeared(name, owner: owner, bus: bus, isAskedAnew: true) }
        }
        report(at: Stopwatch.bootTime())
    }

    // MARK: - Signals

    private func handle(_ batch: SignalInbox.Batch, _ bus: DBusConnection) {
        guard self.bus === bus else { return }
        for heard in batch.signals {
            handle(heard.signal, bus)
            report(at: heard.at)
        }
        if batch.isIncomplete { Task(executorPreference: thread) { try? await self.refreshAll(bus) } }
    }

    private func handle(_ signal: DBusMessage, _ bus: DBusConnection) {
        let arguments = signal.arguments
        switch signal.member {
        case "NameOwnerChanged":
            guard arguments.count == 3, let name = arguments[0].text, let owner = arguments[2].text else {
                return
            }
            savers.remove(name)
            players.remove(name)
            if !owner.isEmpty { appeared(name, owner: owner, bus: bus) }
        case "ActiveChanged":
            guard arguments.count == 1, let isActive = arguments[0].flag else { return }
            savers.set(signal.interface, isActive, by: signal.sender)
        case "PropertiesChanged": propertiesDidChange(signal, bus)
        default: break
        }
    }

    /// `isAskedAnew` is true if signals were lost, so that known values may be wrong.
    private func appeared(_ name: String, owner: String, bus: DBusConnection, isAskedAnew: Bool = false) {
        if let path = ScreenSavers.paths[name] {
            savers.add(name, owner)
            Task(executorPreference: thread) { await self.askSaver(name, path: path, owner: owner, bus: bus) }
        } else if MediaPlayers.isPlayer(name),
            players.add(name, owner) || isAskedAnew && players.beginRequest(name)
        {
            Task(executorPreference: thread) { await self.askPlayer(name, owner: owner, bus: bus) }
        }
    }

    private func propertiesDidChange(_ signal: DBusMessage, _ bus: DBusConnection) {
        guard signal.arguments.map(\.signature) == ["s", "a{sv}", "as"],
            let gone = signal.arguments[2].elements
        else { return }
        let status = signal.arguments[1]["PlaybackStatus"]?.text
        let isGone = gone.contains { $0.text == "PlaybackStatus" }
        for name in players.names(of: signal.sender) {
            if let status { players.set(name, signal.sender, status: status) }
            // The signal reported that the value changed, but not the value. Or the player plays and its desktop entry is unknown.
            let wants = isGone || players.needsEntry(name)
            if wants, players.beginRequest(name) {
                Task(executorPreference: thread) {
                    await self.askPlayer(name, owner: signal.sender, bus: bus)
                }
            }
        }
    }

    // MARK: - Requests

    private func askSaver(_ name: String, path: String, owner: String, bus: DBusConnection) async {
        let reply = try? await bus.call(
            .init(owner, path: path, interface: name, member: "GetActive"),
            withinMs: Self.timeout.ms
        )
        guard self.bus === bus, let isActive = reply?.first?.flag else { return }
        savers.update(name, isActive, by: owner)
        report(at: Stopwatch.bootTime())
    }

    private func askPlayer(_ name: String, owner: String, bus: DBusConnection) async {
        let pid = await Self.pid(of: owner, bus)
        let entry = await get(owner, interface: MediaPlayers.root, property: "DesktopEntry", bus: bus)
        let status = await get(owner, interface: MediaPlayers.interface, property: "PlaybackStatus", bus: bus)
        guard self.bus === bus else { return }
        players.update(name, owner, entry: ReceivedText.entry(entry), pid: pid, status: status)
        report(at: Stopwatch.bootTime())
        // Limits the requests to a few per second, however often the value changes.
        thread.after(milliseconds: Self.pause.ms) { [weak self] in
            self?.assumeIsolated { watch in
                guard watch.bus === bus, watch.players.endRequest(name, owner) else { return }
                Task(executorPreference: watch.thread) { await watch.askPlayer(name, owner: owner, bus: bus) }
            }
        }
    }

    private func get(_ owner: String, interface: String, property: String, bus: DBusConnection) async
        -> String?
    {
        let arguments: [DBusValue] = [.string(interface), .string(property)]
        let reply = try? await bus.call(
            .init(
                owner,
                path: MediaPlayers.path,
                interface: Self.properties,
                member: "Get",
                arguments: arguments
            ),
            withinMs: Self.timeout.ms
        )
        return reply?.first?.text
    }

    private static func pid(of sender: String, _ bus: DBusConnection) async -> Int32? {
        let reply = try? await bus.call(
            .init(
                Self.bus,
                path: "/org/freedesktop/DBus",
                interface: Self.bus,
                member: "GetConnectionUnixProcessID",
                arguments: [.string(sender)]
            ),
            withinMs: timeout.ms
        )
        return reply?.first?.number.flatMap { Int32(exactly: $0) }
    }

    // MARK: - Reports, each change once

    private func report(at moment: BootTime) {
        if savers.isActive != wasLocked {
            wasLocked = savers.isActive
            onEvent(.locked(wasLocked, at: moment))
        }
        let playing = players.playing
        if playing != wasPlaying {
            wasPlaying = playing
            onEvent(.playing(playing, at: moment))
        }
    }
}

/// Desktop programs that report when they lock or blank the screen.
struct ScreenSavers {
    /// Bus names, which are also the interfaces, and the paths of the objects.
    static let paths = [
        "org.freedesktop.ScreenSaver": "/org/freedesktop/ScreenSaver",
        "org.gnome.ScreenSaver": "/org/gnome/ScreenSaver",
        "org.cinnamon.ScreenSaver": "/org/cinnamon/ScreenSaver",
        "org.mate.ScreenSaver": "/org/mate/ScreenSaver",
        "org.xfce.ScreenSaver": "/org/xfce/ScreenSaver",
    ]

    private struct Saver {
        var owner: String
        /// `nil` until the program has reported its state. Some programs with the name never do.
        var isActive: Bool?
    }

    private var savers: [String: Saver] = [:]

    var isActive: Bool { savers.values.contains { $0.isActive == true } }

    /// The screen savers that report their state.
    var names: [String] { savers.filter { $0.value.isActive != nil }.keys.sorted() }

    mutating func add(_ name: String, _ owner: String) { savers[name] = Saver(owner: owner) }

    mutating func remove(_ name: String) { savers[name] = nil }

    /// Handles a signal. Only the owner of the name counts, because any program can send such a signal.
    mutating func set(_ name: String, _ isActive: Bool, by sender: String) {
        guard savers[name]?.owner == sender else { return }
        savers[name]?.isActive = isActive
    }

    /// Handles the reply to a request. A state that was reported meanwhile by a signal is newer and stays.
    mutating func update(_ name: String, _ isActive: Bool, by sender: String) {
        guard let saver = savers[name], saver.owner == sender, saver.isActive == nil else { return }
        savers[name]?.isActive = isActive
    }
}

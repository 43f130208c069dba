import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Synchronization

/// Measures the time of one decision, and the delay until subscribers have a new setting.
struct PolicyBench {
    private static let member = "kim"
    private static let stores = 50
    private static let tokens = 50

    private let isShort: Bool
    private let options: TestSystemOptions

    init(_ scratch: BenchScratch, isShort: Bool) {
        self.isShort = isShort
        options = scratch.systemOptions
    }

    func run() async throws -> [Figure] {
        let decisions = deciding()
        let services: [ServiceName] = [.auth, .activity, .monitor, .shield]
        return try await TestSystem.run(services: services, options: options) { system in
            decisions + (try await PolicyTelling(system, isShort: isShort).figures())
        }
    }

    // MARK: - Deciding

    /// Returns a book in which every store names fifty apps and sites, and a policy with exceptions. All stores name one app.
    private func book() -> Policies {
        var book = Policies()
        for store in 0..<Self.stores {
            let names = Set((1..<Self.tokens).map { "org.example.app-\(store)-\($0)" })
            let sites = Set((0..<Self.tokens).map { "site-\(store)-\($0).example.com" })
            book.set(
                StoreName(app: "org.example.app", member: Self.member, store: "store-\(store)"),
                StoreShields(
                    apps: names.union(["everywhere"]),
                    categories: CategoryPolicy(.specific, categories: ["games"], except: names),
                    domains: sites
                )
            )
        }
        return book
    }

    private func deciding() -> [Figure] {
        let book = book()
        let things: [(name: String, thing: ClassifiedSubject)] = [
            ("decide, no store names it", ClassifiedSubject(app: "org.gnome.gedit", category: "utilities")),
            (
                "decide, one store names it",
                ClassifiedSubject(app: "org.example.app-7-7", category: "utilities")
            ),
            (
                "decide, a site four labels deep",
                ClassifiedSubject(app: "firefox", category: "utilities", domain: "m.site-7-7.example.com")
            ),
            ("decide, 50 stores name it", ClassifiedSubject(app: "everywhere", category: "utilities")),
            ("decide, 50 stores shield its category", ClassifiedSubject(app: "tux", category: "games")),
        ]
        var figures: [Figure] = []
        for (name, thing) in things {
            let us = timeUs { book.decide(thing, member: Self.member, wallMs: 0).causes.count }
            figures.append(Figure(bench: "policy", name: name, value: us, unit: "us", bar: .atMost(5)))
        }
        let one = ClassifiedSubject(app: "org.example.app-7-7", category: "utilities")
        let stores = book.members[Self.member]?.rules.stores ?? [:]
        let walk = timeUs {
            stores.values.count { store in
                store.apps.contains("org.example.app-7-7")
                    || store.categories.categories.contains("utilities")
            }
        }
        figures.append(
            Figure(bench: "policy", name: "going through the stores' sets", value: walk, unit: "us")
        )
        let decide = timeUs { book.decide(one, member: Self.member, wallMs: 0).causes.count }
        figures.append(Figure(bench: "policy", name: "decide against that", value: decide / walk, unit: "x"))
        return figures
    }

    /// Returns the median of several turns.
    private func timeUs(_ work: () -> Int) -> Double {
        let perTurn = 2_000
        var sum = 0
        var turns: [Int64] = []
        for _ in 0..<(isShort ? 11 : 51) {
            let start = Stopwatch.nanoseconds()
            for _ in 0..<perTurn { sum &+= work() }
            turns.append(Stopwatch.nanoseconds() - start)
        }
        // Use the sum, so that the compiler does not remove the work.
        precondition(sum >= 0)
        return Double(turns.sorted()[turns.count / 2]) / Double(perTurn) / 1000
    }
}

/// Measures the delay until a subscriber has a new setting. A client of the service sets it, or an app's monitor extension, whose
/// `settings.set` passes through monitor-runner.
struct PolicyTelling {
    private static let app = "org.example.setter"
    private static let program = "screentime-bench-setter"
    private static let tokens = 50
    /// Number of settings that one callback of the program makes.
    private static let setsOfCallback = 100

    private let system: TestSystem
    private let sets: Int
    private let callbacks: Int

    init(_ system: TestSystem, isShort: Bool) {
        self.system = system
        sets = isShort ? 200 : 1_000
        callbacks = isShort ? 2 : 10
    }

    func figures() async throws -> [Figure] {
        let disk = DiskBaseline(system.scratch.file("baseline"))
        let witness = try PolicyWitness(try system.endpoint(.shield, .events))
        defer { witness.stop() }
        try await eventually("the witness has joined") {
            if !witness.hasJoined { throw NotYet("it has not") }
        }
        let things = try await install()
        try await eventually("shield-service accepts the settings") { _ = try await set(things) }
        let (answered, held) = try await byClient(witness, things)
        let byExtension = try await byExtension(witness)
        return spread("by a client, answered", answered) + spread("by a client, held by a subscriber", held)
            + [
                figure(
                    "by an extension: how many",
                    value: Double(byExtension.nanoseconds.count),
                    unit: "",
                    bar: .none
                )
            ]
            + spread("by an extension, held by a subscriber", byExtension, barMs: 10)
            + disk.figures(of: "policy")
    }

    private func figure(_ name: String, value: Double, unit: String, bar: Figure.Bar) -> Figure {
        Figure(bench: "policy", name: name, value: value, unit: unit, bar: bar)
    }

    private func spread(_ name: String, _ times: Measurement, barMs: Double? = nil) -> [Figure] {
        [
            figure("\(name), p50", value: times.quantileUs(0.5) / 1000, unit: "ms", bar: .none),
            figure(
                "\(name), p99",
                value: times.quantileUs(0.99) / 1000,
                unit: "ms",
                bar: barMs.map { .atMost($0) } ?? .none
            ),
        ]
    }

    // MARK: - By a client

    private func byClient(_ witness: PolicyWitness, _ things: JSONValue) async throws -> (
        Measurement, Measurement
    ) {
        var answered = Measurement()
        var starts: [(us: Int64, version: Int64)] = []
        for number in 1...sets {
            let start = Stopwatch.bootMicroseconds()
            let version = try await set(things)
            answered.add([(Stopwatch.bootMicroseconds() - start) * 1000])
            starts.append((start, version))
            // As in an extension: one after the other, and not as many as possible.
            try await Task.sleep(for: .microseconds(1_000 + number * 37 % 3_000))
        }
        var held = Measurement()
        for (us, version) in starts {
            let heardUs = try await heard(witness, store: "bench", version)
            held.add([(heardUs - us) * 1000])
        }
        return (answered, held)
    }

    private func heard(_ witness: PolicyWitness, store: String, _ version: Int64) async throws -> Int64 {
        try await eventually("version \(version) of \(store) arrives") {
            guard let us = witness.heardUs(store: store, version: version) else { throw NotYet("it is not") }
            return us
        }
    }

    /// Changes the store and returns its new version.
    private func set(_ things: JSONValue) async throws -> Int64 {
        let settings = ["shield.applications": things]
        let request = SettingsSet.Request(app: Self.app, store: "bench", settings: settings)
        return try await system.client.call(SettingsSet.self, request).version
    }

    // MARK: - By an extension

    private func byExtension(_ witness: PolicyWitness) async throws -> Measurement {
        let schedule = Self.wholeDay()
        for callback in 0..<callbacks {
            let request = ActivityStart.Request(
                app: Self.app,
                activity: "store-\(callback)",
                schedule: schedule,
                events: []
            )
            try await eventually("activity-center accepts activities of the app") {
                _ = try await system.client.call(ActivityStart.self, request)
            }
        }
        let stamps = try await stamps()
        var held = Measurement()
        for stamp in stamps {
            let heardUs = try await heard(witness, store: stamp.store, stamp.version)
            held.add([(heardUs - stamp.us) * 1000])
        }
        return held
    }

    /// Installs the app. Returns tokens of its things in the form of a setting.
    private func install() async throws -> JSONValue {
        let manifest = AppBundle.manifest(id: Self.app, monitor: Self.program)
        let bundle = try AppBundle(
            in: system.scratch,
            id: Self.app,
            executables: ["app"],
            manifest: manifest
        )
        let program = try BuiltTree.program(Self.program)
        let programs = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
        try await system.approve(Self.app, bundle: bundle.path, programs: programs)
        let items = (0..<Self.tokens).map { TokenItem(kind: .application, id: "org.example.app-\($0)") }
        let tokens = try await system.client.call(TokenIssue.self, .init(app: Self.app, items: items)).tokens
        // In the state folder, an extension may open only its app's folder and those of groups.
        let groups = "\(system.directories.state)/groups"
        try Directories.prepare(groups)
        try AtomicFile.write(
            Array(tokens.joined(separator: "\n").utf8),
            to: "\(groups)/tokens",
            durable: false
        )
        return .array(tokens.map { ["token": .string($0)] })
    }

    /// Returns a schedule that began a minute ago, so that each activity begins immediately.
    private static func wholeDay() -> Schedule {
        let minutes = Int(SystemTimeSource().now().wallMs / 60_000 - 1)
        let time = DateFields(hour: minutes / 60 % 24, minute: minutes % 60)
        return Schedule(start: time, end: time, repeats: true)
    }

    private struct Stamp {
        var us: Int64
        var store: String
        var version: Int64
    }

    /// Returns the lines of `microseconds store version`, once every callback has written all of its lines.
    private func stamps() async throws -> [Stamp] {
        let path = "\(system.directories.state)/groups/stamps"
        let count = callbacks * Self.setsOfCallback
        return try await eventually(within: .seconds(120), "all sets are made") {
            let lines = ScratchDirectory.text(path).split(separator: "\n").map { $0.split(separator: " ") }
            let stamps = lines.compactMap { words -> Stamp? in
                guard words.count == 3, let us = Int64(words[0]), let version = Int64(words[2]) else {
                    return nil
                }
                return Stamp(us: us, store: String(words[1]), version: version)
            }
            if stamps.count < count { throw NotYet("\(stamps.count) of \(count)") }
            return stamps
        }
    }
}

/// A subscriber that applies the policy, and records when it received each version of each store.
final class PolicyWitness: Sendable {
    private struct Seen {
        var book = Policies()
        /// Microseconds since the boot, by store and version. All processes have the same clock.
        var heardUs: [String: Int64] = [:]
        /// Microseconds since the boot at which the store first shielded an app, by store.
        var firstShieldedUs: [String: Int64] = [:]
        var hasJoined = false
        var isStopped = false
    }

    private let seen = Mutex(Seen())
    private let thread: LoopThread

    init(_ endpoint: String) throws {
        thread = try LoopThread(name: "witness")
        let peer = try RawPeer(.subscriber, endpoint)
        let marker = Topic.syncPrefix + TraceIdentifiers.span()
        for topic in [PolicyStoreChanged.type, marker] { peer.subscribe(topic) }
        thread.post { [self] in
            while !seen.withLock({ $0.isStopped }) {
                guard let frames = peer.receive(withinMs: 100), let topic = frames.first else { continue }
                take(frames, isMarker: topic == Array(marker.utf8))
            }
            peer.close()
        }
    }

    /// True if the publisher has accepted the subscription.
    var hasJoined: Bool { seen.withLock { $0.hasJoined } }

    func heardUs(store: String, version: Int64) -> Int64? {
        seen.withLock { $0.heardUs[Self.key(store, version)] }
    }

    func shieldedUs(store: String) -> Int64? { seen.withLock { $0.firstShieldedUs[store] } }

    func stop() {
        seen.withLock { $0.isStopped = true }
        thread.stop()
        thread.join()
    }

    private static func key(_ store: String, _ version: Int64) -> String { "\(store) \(version)" }

    private func take(_ frames: [[UInt8]], isMarker: Bool) {
        if isMarker { return seen.withLock { $0.hasJoined = true } }
        guard frames.count == 3, let body = try? PolicyStore.decodedBody(frames[2]) else { return }
        seen.withLock {
            $0.book.apply(body)
            let us = Stopwatch.bootMicroseconds()
            $0.heardUs[Self.key(body.store, body.version)] = us
            if !body.shields.apps.isEmpty, $0.firstShieldedUs[body.store] == nil {
                $0.firstShieldedUs[body.store] = us
            }
        }
    }
}

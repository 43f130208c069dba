import STContracts
import STEngine
import STPlatform
import STStore
import STTestSupport
import Synchronization

/// One process: its two engines, its database, and its state that survives a crash.
final class SimService {
    static let applicationID: Int32 = 0x5354_0050

    let definition: ServiceDefinition<SimState>
    let folder: ScratchDirectory
    let disk: FaultySystem
    let trap = CrashTrap()
    private(set) var database: Database?
    private(set) var store: StoreEngine<SimState>?
    private(set) var engine: ServiceEngine<SimState>?
    /// Counts starts and crashes, to identify objects of a dead process.
    private(set) var life = 0
    private(set) var path: String
    var jobs: [StoreJob] = []
    var isTurnPlanned = false
    var batchAtMs: Int64 = 0
    var backup: String?
    var wasTrimmed = false
    var wasReset = false
    /// End of the last snapshot for each subscription.
    var snapshotEnds: [Int: Int64] = [:]

    init(_ definition: ServiceDefinition<SimState>, _ folder: ScratchDirectory) throws {
        self.definition = definition
        self.folder = folder
        disk = try FaultySystem("\(folder.path)-\(definition.name)")
        path = folder.file("\(definition.name)-0.db")
    }

    /// Closes the connection before its file system.
    deinit {
        engine = nil
        store = nil
        database = nil
    }

    var name: ServiceName { definition.name }
    var isRunning: Bool { engine != nil }
    var nextPath: String { folder.file("\(name)-\(life + 1).db") }

    func start(_ time: SimulatedTimeSource) throws {
        let database = try open()
        let trap = trap
        let store = try StoreEngine(
            definition,
            database: database,
            source: "/sim/\(name)",
            time: time,
            faults: FaultPoints { trap.hit($0) },
            bootMs: { time.now().bootMs }
        )
        engine = try ServiceEngine(
            definition,
            store: store,
            source: "/sim/\(name)",
            owner: 1000,
            time: time,
            now: time.now().boot,
            bootMs: { time.now().bootMs },
            vitals: { ServiceVitals(pid: 1, uptime: .zero, pssKib: 0, databaseBytes: 0, counters: [:]) }
        )
        self.database = database
        self.store = store
        life += 1
        jobs = []
        isTurnPlanned = false
        batchAtMs = 0
    }

    func open() throws -> Database {
        try Database(
            path: path,
            options: DatabaseOptions(synchronous: .off, applicationID: Self.applicationID, vfs: disk.name)
        )
    }

    /// Ends the process. Its files continue from the copy at the fault point, or from a copy made now.
    func crash(hasImage: Bool) {
        let image = nextPath
        if !hasImage { DatabaseImage.copy(of: path, to: image) }
        engine = nil
        store = nil
        database = nil
        DatabaseImage.remove(path)
        path = image
        life += 1
        jobs = []
        _ = trap.take()
    }

    /// Call this only while the process is stopped.
    func replace(by file: String) {
        DatabaseImage.remove(path)
        DatabaseImage.copy(of: file, to: path)
    }
}

/// Copies the database's files at a fault point. The process dies there and leaves this copy.
final class CrashTrap: Sendable {
    private struct State {
        var armed: FaultPoints.Point?
        var source = ""
        var copy = ""
        var hasSprung = false
    }

    private let state = Mutex(State())

    func arm(_ point: FaultPoints.Point, source: String, copy: String) {
        state.withLock { $0 = State(armed: point, source: source, copy: copy) }
    }

    func hit(_ point: FaultPoints.Point) {
        state.withLock { state in
            guard state.armed == point else { return }
            state.armed = nil
            state.hasSprung = true
            DatabaseImage.copy(of: state.source, to: state.copy)
        }
    }

    /// True if the trap has sprung. It is unarmed afterwards.
    func take() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.hasSprung
        }
    }
}

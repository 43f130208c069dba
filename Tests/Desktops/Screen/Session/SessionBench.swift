import Glibc
import STDesktopKit
import STPlatform
import STScreen
import STTestSupport
import Synchronization

/// A session of the test, and the events that the watch reports about it.
final class SessionBench: Sendable {
    let scratch: ScratchDirectory
    let loop: LoopThread
    let watch: SessionWatch

    /// Its user is `uid`. This process is in none of its sessions unless logind reports that.
    init(
        _ scratch: ScratchDirectory,
        _ environment: [String: String],
        uid: UInt32 = 1_000,
        counts: Bool = true,
        beforeSleep: @escaping @Sendable () async -> Void = {}
    ) throws {
        self.scratch = scratch
        let box = Box()
        let loop = try LoopThread(name: "session")
        self.loop = loop
        self.box = box
        watch = SessionWatch(
            thread: loop,
            environment: environment,
            countsNotifications: counts,
            uid: uid,
            beforeSleep: beforeSleep
        ) { event in box.add(event) }
    }

    private final class Box: Sendable {
        let list = Mutex<[SessionEvent]>([])
        func add(_ event: SessionEvent) { list.withLock { $0.append(event) } }
    }

    private let box: Box

    var heard: [SessionEvent] { box.list.withLock { $0 } }

    func forget() { box.list.withLock { $0 = [] } }

    func stop() async {
        await watch.close()
        loop.stop()
        loop.join()
    }

    /// Waits until an event arrived for which the closure returns a value.
    @discardableResult
    func hears<T>(_ what: String, _ match: (SessionEvent) -> T?) async throws -> T {
        try await eventually(within: .seconds(60), what) {
            guard let found = heard.lazy.compactMap(match).last else { throw NotYet("\(heard.suffix(20))") }
            return found
        }
    }

    func hears(locked: Bool) async throws -> BootTime {
        try await hears("locked \(locked)") { event in
            if case .locked(locked, let at) = event { at } else { nil }
        }
    }

    func hears(inFront: Bool) async throws -> BootTime {
        try await hears("in front \(inFront)") { event in
            if case .inFront(inFront, let at) = event { at } else { nil }
        }
    }

    /// The playing media players, by the last event.
    var playing: [MediaPlayer] {
        heard.lazy.compactMap { if case .playing(let list, _) = $0 { list } else { nil } }.last ?? []
    }

    var inhibitors: [IdleInhibitor] {
        heard.lazy.compactMap { if case .inhibitors(let list, _) = $0 { list } else { nil } }.last ?? []
    }

    var notified: [NotificationSource: Int] {
        heard.reduce(into: [:]) { sums, event in
            if case .notified(let counts, _) = event { sums.merge(counts, uniquingKeysWith: +) }
        }
    }
}

/// Listens at the address of a bus, accepts every connection, and never replies.
final class SilentBus {
    let address: String
    private let listener: OwnedDescriptor

    init(_ path: String) throws {
        address = "unix:path=" + path
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError.last("socket") }
        listener = OwnedDescriptor(number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(number, 8) == 0 else { throw SystemError.last("bind") }
    }
}

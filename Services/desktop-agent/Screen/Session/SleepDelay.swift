import STDBus
import STPlatform

/// Keeps the computer awake for the moment that it takes to write down what was seen last.
actor SleepDelay {
    /// logind waits five seconds by its own defaults; whoever is slower than this is not waited for.
    private static let patienceMs: Int64 = 2_000

    private let thread: LoopThread
    private let before: @Sendable () async -> Void
    private var inhibitor: OwnedDescriptor?
    private var isAsking = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ thread: LoopThread, before: @escaping @Sendable () async -> Void) {
        self.thread = thread
        self.before = before
    }

    var isHeld: Bool { inhibitor != nil }

    /// Harmless when it is held; where it is refused, sleep comes at once.
    func hold(_ bus: DBusConnection) async {
        guard inhibitor == nil, !isAsking else { return }
        isAsking = true
        defer { isAsking = false }
        let words = ["sleep", "Screen Time", "Writes down what was in front last.", "delay"]
        let reply = try? await bus.call(
            .init(
                LogindWatch.name,
                LogindWatch.root,
                LogindWatch.manager,
                "Inhibit",
                words.map { .string($0) }
            ),
            withinMs: LogindWatch.deadlineMs
        )
        if case .descriptor(let file)? = reply?.first { inhibitor = file }
    }

    /// It sleeps as soon as `before` has done its work, and in any case soon.
    func begin() async {
        let timer = thread.after(milliseconds: Self.patienceMs) { [weak self] in
            self?.assumeIsolated { $0.inhibitor = nil }
        }
        await before()
        thread.cancelTimer(timer)
        inhibitor = nil
    }

    func release() { inhibitor = nil }
}

import STPlatform

/// Refuses the sockets that an extension without a network tries to open, and reports the first tries to its developer.
///
/// Lives on the loop's thread.
final class NetworkWatch {
    /// Further tries of a process are refused without a report.
    private static let reportedMax = 10
    /// Afterwards the kernel refuses alone, so that an extension that keeps trying cannot keep this host busy.
    private static let refusedMax = 1_000

    private let refusals: NetworkRefusals
    private let thread: LoopThread
    private let report: (NetworkRefusals.Refusal) -> Void
    private var refused = 0
    private var isStopped = false

    init(
        _ refusals: NetworkRefusals,
        _ thread: LoopThread,
        report: @escaping (NetworkRefusals.Refusal) -> Void
    ) {
        self.refusals = refusals
        self.thread = thread
        self.report = report
        thread.currentWaiter.watch(descriptor: refusals.descriptor.number) { [weak self] in self?.refuse() }
    }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        thread.currentWaiter.unwatch(descriptor: refusals.descriptor.number)
    }

    private func refuse() {
        // Nil when all processes that could try are gone.
        guard let refusal = refusals.next() else { return stop() }
        refused += 1
        if refused <= Self.reportedMax { report(refusal) }
        if refused >= Self.refusedMax { stop() }
    }
}

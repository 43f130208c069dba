import STPlatform

/// Leads an extension without a network to its host, refuses other sockets, and reports the first tries to its developer.
///
/// Lives on the loop's thread.
final class NetworkWatch {
    /// Further tries of a process are refused without a report.
    private static let reportedMax = 10
    /// Afterwards the kernel refuses alone, so that an extension that keeps trying cannot keep this host busy.
    private static let decidedMax = 1_000

    /// Where the C library asks for the names of accounts and hosts; it goes on without an answer.
    private static let unsaid: Set<String> = ["/run/nscd/socket", "/var/run/nscd/socket"]

    private let refusals: NetworkRefusals
    private let thread: LoopThread
    private let report: (NetworkRefusals.Refusal) -> Void
    private var decided = 0
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
        decided += 1
        switch refusals.next() {
        case .connected: break
        // All processes that could try are gone.
        case .gone: stop()
        case .refused(let refusal) where decided <= Self.reportedMax && !Self.unsaid.contains(refusal.path):
            report(refusal)
        case .refused: break
        }
        if decided >= Self.decidedMax { stop() }
    }
}

import STPlatform

/// Connects an extension without a network to its host, refuses other sockets, and reports the first attempts to its developer.
///
/// Used on the loop's thread.
final class NetworkWatch {
    /// Upper bound on the reports. Further attempts of a process are refused without a report.
    private static let reportedMax = 10
    /// Upper bound on the attempts that this host handles. After that, the kernel refuses by itself, so that an extension that
    /// keeps trying cannot keep this host busy.
    private static let decidedMax = 1_000

    /// Sockets at which the C library looks up the names of accounts and hosts. It works without a reply, so attempts are not
    /// reported.
    private static let unreportedPaths: Set<String> = ["/run/nscd/socket", "/var/run/nscd/socket"]

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
        // All processes that could try have ended.
        case .gone: stop()
        case .refused(let refusal)
        where decided <= Self.reportedMax && !Self.unreportedPaths.contains(refusal.path):
            report(refusal)
        case .refused: break
        }
        if decided >= Self.decidedMax { stop() }
    }
}

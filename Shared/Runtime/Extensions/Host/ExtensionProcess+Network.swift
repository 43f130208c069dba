import STContracts
import STPlatform
import STZeroMQ

/// What an extension without a network tries all the same, told to whoever develops it.
extension ExtensionProcess {
    /// Of one process; further tries are refused without a word.
    private static let refusedSaidMax = 10
    /// Afterwards the kernel refuses alone, so that nobody can keep this host busy.
    private static let refusedMax = 1_000

    func keepFromNetwork() {
        switch process.network {
        case .open, .silent: return
        case .failed(let reason) where spec.point == .report && !ground.settings.mayHaveNetwork:
            // Once whoever started it hears what becomes of it. It has not been told anything yet.
            ground.loop.thread.post { [weak self] in
                guard let self, !hasEnded else { return }
                perform(life.violated(ExtensionProblem.noIsolation(reason)))
            }
        case .failed(let reason):
            let problem =
                "The kernel could not keep the network from this extension (\(reason)); it runs with it."
            say(.host, "error", "", problem)
        case .told(let refusals):
            self.refusals = refusals
            ground.loop.thread.currentWaiter.watch(descriptor: refusals.descriptor.number) { [weak self] in
                self?.refuse()
            }
        }
    }

    func stopRefusing() {
        guard let refusals else { return }
        ground.loop.thread.currentWaiter.unwatch(descriptor: refusals.descriptor.number)
        self.refusals = nil
    }

    private func refuse() {
        // Nil when all who could ask are gone.
        guard let refusal = refusals?.next() else { return stopRefusing() }
        refused += 1
        if refused <= Self.refusedSaidMax {
            let text =
                "It tried to open \(refusal.words), which was refused: what an extension of \(spec.point) sees may "
                + "not leave the computer, as on a phone."
            say(.host, "error", "", text)
        }
        if refused >= Self.refusedMax { stopRefusing() }
    }
}

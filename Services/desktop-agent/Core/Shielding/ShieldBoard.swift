package import STContracts
import Synchronization

/// What `desktop.shields` answers: written by whoever puts the shields up, read by the service.
package final class ShieldBoard: Sendable {
    private let held: Mutex<DesktopShields.Reply>

    package init(escalation: Escalation = .cover) {
        held = Mutex(DesktopShields.Reply(shields: [], escalation: escalation))
    }

    package var reply: DesktopShields.Reply { held.withLock { $0 } }

    package func set(_ reply: DesktopShields.Reply) { held.withLock { $0 = reply } }
}

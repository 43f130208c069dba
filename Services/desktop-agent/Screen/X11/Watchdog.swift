import Glibc
import STPlatform

/// Shuts a socket when something takes too long, so that whoever waits for the other side sees an end.
///
/// Libraries that speak a protocol over a socket have no deadlines of their own.
final class Watchdog: Sendable {
    private let bell: Bell?
    private let thread: LoopThread?

    init(_ descriptor: Int32, afterMs: Int64) {
        bell = try? Bell()
        thread = try? LoopThread(name: "x11-watchdog")
        guard let bell else { return }
        thread?.post {
            if !bell.wait(withinMs: afterMs) { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Nothing is shut once this has returned.
    func stop() {
        bell?.ring()
        thread?.stop()
        thread?.join()
    }
}

import Glibc
import STPlatform
import Synchronization

/// How a system in the background tells the command that started it how its start went.
///
/// A pipe whose other end the starting command holds: it closes by itself when this process dies before it said
/// anything, so nobody waits for the dead.
final class StartReport: Sendable {
    static let variable = "SCREENTIME_START_REPORT"
    static let ready = "ready\n"

    /// Whether this process was put into the background by `--detach`.
    let isWanted: Bool
    private let pipe: Mutex<OwnedDescriptor?>

    init(environment: [String: String]) {
        guard let number = environment[Self.variable].flatMap(Int32.init), number > 2 else {
            isWanted = false
            pipe = Mutex(nil)
            return
        }
        // Services must not inherit it, or it would not close when this process dies.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        isWanted = true
        pipe = Mutex(OwnedDescriptor(number))
    }

    /// Says how it went, once, and lets go of the pipe, which the other side waits for.
    func send(isReady: Bool, _ text: String) {
        let taken = pipe.withLock { pipe in
            defer { pipe = nil }
            return pipe
        }
        guard let taken else { return }
        var rest = Array(((isReady ? Self.ready : "") + text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(taken.number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            // Nobody may be listening any more, and the log has the text as well.
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}

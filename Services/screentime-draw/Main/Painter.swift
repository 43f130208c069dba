import Glibc
import STContracts
import STPlatform

/// The process that draws for `--stay`: a copy of this one, made while it has only one thread.
final class Painter {
    private static let answerBytesMax = 1 << 20
    private let pid: pid_t
    private let socket: OwnedDescriptor
    private var isReaped = false

    init() throws(Problem) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else {
            throw SystemError.last("socketpair")
        }
        let (own, other) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        let pid = fork()
        guard pid >= 0 else { throw SystemError.last("fork") }
        if pid == 0 {
            close(ends[0])
            PainterLoop(socket: ends[1]).run()
        }
        self.pid = pid
        socket = own
        _ = other
    }

    /// Nil when it did not answer in time, or has ended.
    func ask(_ line: [UInt8], withinMs: Int64) -> Frame? {
        guard Frame.write(line, .plain, to: socket.number) else { return nil }
        return Frame.read(
            socket.number,
            limitBytes: Self.answerBytesMax,
            by: Stopwatch.milliseconds() + withinMs
        )
    }

    /// Ends it where it has not ended yet, and says how that was.
    @discardableResult
    func end() -> String {
        guard !isReaped else { return "it has ended" }
        isReaped = true
        var status: Int32 = 0
        // One that fell is given the moment that it needs to be gone, so that its own signal is told.
        for _ in 0..<50 where waitpid(pid, &status, WNOHANG) == 0 { _ = poll(nil, 0, 1) }
        let isLate = kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid
        if isLate { return "it took longer than \(TextFormat.duration(ms: DrawLimits.deadlineMs))" }
        let signal = status & 0x7F
        return signal == 0 ? "its process ended by itself" : "its process ended by \(Signals.name(signal))"
    }

    deinit { end() }
}

import Glibc
import STFoundationTypes
import STPlatform

/// `screentime app access` on the terminal of this program, where it has one.
final class TerminalPrompt: Sendable {
    typealias Start = @Sendable (_ app: String, _ request: String) -> TerminalPrompt?

    private static let program = "screentime"

    private let pid: pid_t

    private init(pid: pid_t) { self.pid = pid }

    /// Nil where there is no terminal, or no such program.
    ///
    /// It stays in our process group: only the one in the foreground may read from a terminal.
    static let start: Start = { app, request in
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        guard let path = ProgramSearch.find(program) else {
            FrameworkLog.authorization.error(
                "the question cannot be put here: no program \(program) in PATH, nor beside this one"
            )
            return nil
        }
        return spawn(path, ["app", "access", app, "on", "--request", request], terminal)
    }

    private static func spawn(_ path: String, _ arguments: [String], _ terminal: Int32) -> TerminalPrompt? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_adddup2(&actions, terminal, number)
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, nil, &words, environ)
        guard result == 0 else {
            FrameworkLog.authorization.error("the question cannot be put: \(SystemError.text(result))")
            return nil
        }
        return TerminalPrompt(pid: pid)
    }

    /// Waits for its end when it has answered, and ends it when it has not.
    func end() {
        // It ends by itself a moment after its answer was taken; what it still has to say comes before that.
        for signal in [0, SIGTERM, SIGKILL] {
            if signal != 0 { kill(pid, signal) }
            if reaped(withinMs: 2_000) { return }
        }
    }

    private func reaped(withinMs limit: Int64) -> Bool {
        let start = Stopwatch.milliseconds()
        var status: Int32 = 0
        while Stopwatch.milliseconds() - start < limit {
            let result = waitpid(pid, &status, WNOHANG)
            if result == pid || (result < 0 && errno != EINTR) { return true }
            poll(nil, 0, 10)
        }
        return false
    }
}

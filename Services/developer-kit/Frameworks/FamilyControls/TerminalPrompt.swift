import Glibc
import STFoundationTypes
import STPlatform

/// Runs `screentime app access` on the terminal of this program.
final class TerminalPrompt: Sendable {
    typealias Start = @Sendable (_ app: String, _ request: String) -> TerminalPrompt?

    private static let program = "screentime"

    private let pid: pid_t

    private init(pid: pid_t) { self.pid = pid }

    /// Starts the prompt. Returns `nil` without a terminal or without the program.
    ///
    /// The prompt stays in this process group, because only the foreground group may read from the terminal.
    static let start: Start = { app, request in
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        guard let path = ProgramSearch.find(program) else {
            FrameworkLog.authorization.error(
                "the terminal cannot show the question: there is no program \(program) in PATH or beside this one"
            )
            return nil
        }
        let arguments = ["app", "access", app, "on", "--request", request]
        return spawn(path, arguments: arguments, terminal: terminal)
    }

    private static func spawn(_ path: String, arguments: [String], terminal: Int32) -> TerminalPrompt? {
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
            FrameworkLog.authorization.error(
                "the terminal cannot show the question: \(SystemError.text(result).english)"
            )
            return nil
        }
        return TerminalPrompt(pid: pid)
    }

    /// Waits for the prompt to end after an answer. If it does not end, the process is terminated.
    func end() {
        // After an answer the prompt writes its last output and ends by itself. Signals are only sent if it does not.
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

/// Finds a program beside this one, as in a build folder or an installation, or else in PATH.
private enum ProgramSearch {
    static func find(_ name: String) -> String? {
        let folders = [ProcFile.ownFolder()].compactMap { $0 } + path
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static var path: [String] {
        (ProcessEnvironment.current()["PATH"] ?? "").split(separator: ":").map(String.init)
    }
}

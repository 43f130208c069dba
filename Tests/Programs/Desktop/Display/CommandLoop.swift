import Glibc
import STPlatform

/// Performs commands from standard input, one a line, and serves a display meanwhile. `LineProgram` is the other end.
///
/// `answer` returns the text after `ok`, or `nil` for `no`. `prepare` and `serve` handle the display, before and after the wait.
/// `serve` receives true if the display is readable. The loop ends with the input, or when either function returns false.
package func obeyCommands(
    beside display: Int32,
    patienceMs: () -> Int32 = { -1 },
    prepare: () -> Bool,
    serve: (Bool) -> Bool = { _ in true },
    _ answer: (String) -> String?
) {
    var lines = LineSplitter(lineBytesMax: 1 << 20)
    var items = [display, 0].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while prepare() {
        guard poll(&items, 2, patienceMs()) >= 0 || errno == EINTR else { return }
        guard serve(items[0].revents != 0) else { return }
        guard items[1].revents != 0 else { continue }
        let count = read(0, &buffer, buffer.count)
        guard count > 0 else { return }
        lines.add(buffer[..<count]) { line in
            say(answer(line).map { $0.isEmpty ? "ok" : "ok \($0)" } ?? "no \(line.prefix(80))")
        }
    }
}

/// Writes one line immediately, without waiting until a buffer is full.
package func say(_ text: String) {
    print(text)
    fflush(nil)
}

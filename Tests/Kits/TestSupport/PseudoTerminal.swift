import Glibc
import STPlatform
import Synchronization

/// A terminal without a screen: reads the program's output, and writes its input.
package final class PseudoTerminal: Sendable {
    /// The path of the program's side.
    package let path: String
    /// The requests TIOCSPTLCK and TIOCGPTN.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    private let master: OwnedDescriptor
    private let slave: OwnedDescriptor
    private let shown = Mutex("")

    package init() throws {
        // By hand, because glibc's headers offer these functions only to C.
        let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError.last("open /dev/ptmx") }
        master = OwnedDescriptor(number)
        var locked: Int32 = 0
        var terminal: UInt32 = 0
        guard ioctl(number, Self.setLock, &locked) == 0, ioctl(number, Self.getNumber, &terminal) == 0 else {
            throw SystemError.last("ioctl")
        }
        path = "/dev/pts/\(terminal)"
        // Held open, because a terminal that no process has open loses its settings.
        let other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw SystemError.last("open") }
        slave = OwnedDescriptor(other)
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
    }

    /// The whole output so far.
    package var screen: String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(master.number, &buffer, buffer.count)
            guard count > 0 else { break }
            let part = String(decoding: buffer[..<count], as: UTF8.self)
            shown.withLock { $0 += part }
        }
        return shown.withLock { $0 }
    }

    package var hasEcho: Bool {
        var settings = termios()
        return tcgetattr(slave.number, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// The descriptor of the program's side.
    package var number: Int32 { slave.number }

    package func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(master.number, bytes, bytes.count)
    }

    /// Waits for the `count`th occurrence of a prompt, and types an answer.
    ///
    /// If `isHidden` is true, the echo must be off by then.
    package func answer(_ prompt: String, _ keys: String, count: Int = 1, isHidden: Bool = false) async throws
    {
        try await eventually(within: .seconds(30), "the prompt \(prompt) is shown") {
            guard screen.split(separator: prompt, omittingEmptySubsequences: false).count > count else {
                throw NotYet("the screen shows: \(screen)")
            }
            guard isHidden != hasEcho else { throw NotYet("the echo is \(hasEcho ? "on" : "off")") }
        }
        type(keys + "\n")
    }
}

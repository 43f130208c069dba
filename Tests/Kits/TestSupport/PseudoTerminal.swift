import Glibc
import STPlatform
import Synchronization

/// A terminal without a screen: what is written to it is read here, and what is typed here is read from it.
package final class PseudoTerminal: Sendable {
    /// Where the program's side is.
    package let path: String
    /// TIOCSPTLCK and TIOCGPTN.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    private let master: OwnedDescriptor
    private let slave: OwnedDescriptor
    private let shown = Mutex("")

    package init() throws {
        // By hand, because glibc's headers show these functions to C alone.
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

    /// All that has been on the screen.
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

    /// The program's side, to be handed to it.
    package var number: Int32 { slave.number }

    package func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(master.number, bytes, bytes.count)
    }

    /// Waits for a prompt, the `count`th of its kind, and types an answer to it.
    ///
    /// A hidden one has to be without an echo by then.
    package func answer(_ prompt: String, _ keys: String, count: Int = 1, isHidden: Bool = false) async throws
    {
        try await eventually(within: .seconds(30), "\(prompt) is asked") {
            guard screen.split(separator: prompt, omittingEmptySubsequences: false).count > count else {
                throw NotYet("the screen shows: \(screen)")
            }
            guard isHidden != hasEcho else { throw NotYet("the echo is \(hasEcho ? "on" : "off")") }
        }
        type(keys + "\n")
    }
}

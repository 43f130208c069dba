import Glibc
import STCPlatform

/// A file descriptor that is closed when its last reference is released.
package final class OwnedDescriptor: Sendable {
    package let number: Int32
    private let isInotify: Bool

    package convenience init(_ number: Int32) { self.init(number, isInotify: false) }

    /// A descriptor that a separate thread closes. On a busy machine, closing inotify takes the kernel seconds.
    package static func inotify(_ number: Int32) -> OwnedDescriptor {
        OwnedDescriptor(number, isInotify: true)
    }

    private init(_ number: Int32, isInotify: Bool) {
        self.number = number
        self.isInotify = isInotify
    }

    deinit {
        let argument = UnsafeMutableRawPointer(bitPattern: Int(number))
        let close: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            Glibc.close(Int32(Int(bitPattern: $0)))
            return nil
        }
        var thread = pthread_t()
        if isInotify, pthread_create(&thread, nil, close, argument) == 0 {
            pthread_detach(thread)
        } else {
            _ = close(argument)
        }
    }

    /// A file without a name that contains these bytes. It is closed in child processes that do not receive it explicitly.
    ///
    /// Unlike a pipe, a file cannot end this process when a program that receives it dies before reading.
    package static func unnamedFile(holding bytes: [UInt8] = []) throws(Problem) -> OwnedDescriptor {
        var name = Array("/tmp/screentime-XXXXXX".utf8CString)
        let file = OwnedDescriptor(mkstemp(&name))
        guard file.number >= 0 else { throw SystemError.last("mkstemp") }
        unlink(name)
        _ = fcntl(file.number, F_SETFD, FD_CLOEXEC)
        guard write(bytes, to: file.number) else { throw SystemError.last("write") }
        lseek(file.number, 0, SEEK_SET)
        return file
    }

    /// Writes all bytes. Returns false if that fails, with the reason in `errno`.
    package static func write(_ bytes: some Collection<UInt8>, to number: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads to the end. Throws `tooLarge` if there are more bytes than the limit.
    package static func readAll(
        _ number: Int32,
        limitBytes: Int,
        tooLarge: @autoclosure () -> Problem,
        failed: (Int32) -> Problem = { SystemError.make("read", number: $0) }
    ) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(number, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failed(errno) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limitBytes else { throw tooLarge() }
            bytes += part[..<count]
        }
    }
}

/// A pipe. Both ends are closed in every child process that does not receive one explicitly.
package struct DescriptorPipe: Sendable {
    package let readEnd: OwnedDescriptor
    package let writeEnd: OwnedDescriptor

    package init() throws(Problem) {
        var read: Int32 = -1
        var write: Int32 = -1
        let result = st_pipe(&read, &write)
        guard result == 0 else { throw SystemError.make("pipe", number: -result) }
        readEnd = OwnedDescriptor(read)
        writeEnd = OwnedDescriptor(write)
    }

    /// Changes only our end, so the child's writes still wait while the pipe is full.
    package func makeReadEndNonblocking() throws(Problem) {
        let result = st_set_nonblocking(readEnd.number)
        guard result == 0 else { throw SystemError.make("fcntl", number: -result) }
    }
}

/// Wakes one waiting thread from any other thread.
package final class WakeDescriptor: Sendable {
    private let owned: OwnedDescriptor

    package init() throws(Problem) {
        let number = st_eventfd()
        guard number >= 0 else { throw SystemError.last("eventfd") }
        owned = OwnedDescriptor(number)
    }

    package func signal() {
        var one: UInt64 = 1
        _ = write(owned.number, &one, 8)
    }

    /// Waits for a ring. Returns true if one came in time. Rings from before the wait count, and several count as one.
    package func wait(withinMs: Int64) -> Bool {
        guard Readiness.wait(owned.number, withinMs: withinMs) else { return false }
        var count: UInt64 = 0
        return read(owned.number, &count, 8) == 8
    }
}

/// Waits for one descriptor, with a deadline.
package enum Readiness {
    /// Waits until the descriptor is readable or its other end is closed. Returns false at the deadline. A signal does not end the
    /// wait.
    package static func wait(_ descriptor: Int32, withinMs: Int64) -> Bool {
        let deadline = Stopwatch.milliseconds().addingClamped(max(0, withinMs))
        while true {
            let left = deadline - Stopwatch.milliseconds()
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let result = poll(&item, 1, Int32(clamping: max(0, left)))
            if result > 0 { return true }
            if result < 0 && errno != EINTR { return false }
            if left <= 0 { return false }
        }
    }
}

extension Int64 {
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}

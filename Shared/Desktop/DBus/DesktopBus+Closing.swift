import Glibc
import STCSystemd
import STPlatform
import Synchronization

/// How a connection ends; a bus that has become silent holds nobody up for longer than `flushMs`.
extension DesktopBus {
    private static let flushMs: Int64 = 1_000

    /// Ends the connection and its thread; calls that wait are answered with `dbus.no_reply`.
    ///
    /// Never from the connection's own thread.
    package func close() {
        stop()
        loop.join()
    }

    /// The same without waiting for it, for threads that others need.
    package func drop() {
        stop()
        loop.letGo()
    }

    private func stop() {
        isClosed.withLock { isClosed in
            // Whatever is posted to a loop that has ended stays there for good.
            guard !isClosed else { return }
            isClosed = true
            loop.post { self.tearDown(Problem("dbus.no_reply", "The connection to the desktop was closed.")) }
        }
        loop.stop()
    }

    /// What is written already is sent off where somebody reads it.
    ///
    /// The library's own flush waits for the login too, which a silent bus never answers, and has no end.
    static func closeConnection(_ bus: OpaquePointer) {
        let endMs = Stopwatch.milliseconds() + flushMs
        while sd_bus_is_ready(bus) > 0, sd_bus_get_events(bus) & POLLOUT != 0 {
            let leftMs = endMs - Stopwatch.milliseconds()
            guard leftMs > 0 else { break }
            var item = pollfd(fd: sd_bus_get_fd(bus), events: Int16(POLLOUT), revents: 0)
            guard poll(&item, 1, Int32(clamping: leftMs)) > 0, sd_bus_process(bus, nil) >= 0 else { break }
        }
        sd_bus_close_unref(bus)
    }
}

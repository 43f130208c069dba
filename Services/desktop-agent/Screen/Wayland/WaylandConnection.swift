import Glibc
import STCScreen
import STDesktop
import STPlatform

/// A connection to a compositor, and the globals that it offers.
///
/// Used by one thread at a time: first by the creating thread, then by the adapter's own thread.
final class WaylandConnection: @unchecked Sendable {
    // @unchecked: handed over once, before the adapter's thread starts to use it.
    static let globalsMax = 512

    let display: OpaquePointer
    let registry: OpaquePointer
    private(set) var globals: [WaylandGlobal] = []
    private(set) var compositor: (pid: Int32, program: String?)?
    /// Called when a global appears or disappears later.
    var onGlobal: ((WaylandGlobal) -> Void)?
    var onGone: ((UInt32) -> Void)?
    private var syncHandlers: [UInt: () -> Void] = [:]

    /// Connects and waits until the compositor has reported its globals.
    init(_ path: String, within timeout: Duration) throws(Problem) {
        stw_be_quiet()
        let socket = try WaylandSocket.connect(path).get()
        compositor = WaylandSocket.peer(socket.number)
        // The library closes its descriptor, even on failure. FD_CLOEXEC keeps it from child processes.
        guard let display = wl_display_connect_to_fd(fcntl(socket.number, F_DUPFD_CLOEXEC, 0)) else {
            throw SystemError.last("wl_display_connect", "desktop.no_display")
        }
        guard let registry = wl_display_get_registry(display) else {
            wl_display_disconnect(display)
            throw Problem(
                "desktop.no_display",
                """
                There is not enough memory for a connection to the display. Close some programs and try \
                again.
                """
            )
        }
        self.display = display
        self.registry = registry
        wl_registry_add_listener(registry, Self.registryListener, Unmanaged.passUnretained(self).toOpaque())
        guard wait(within: timeout) else {
            let shown = TextSanitizer.sanitized(path)
            throw Problem(
                "desktop.display_silent",
                text: compositor?.program.map {
                    Message(
                        "desktop.display_silent",
                        """
                        \(shown, "path") accepts connections but does not answer. Restart \
                        \($0, "program"), for example by logging out and in again.
                        """
                    )
                }
                    ?? Message(
                        "desktop.display_silent.the-compositor",
                        """
                        \(shown, "path") accepts connections but does not answer. Restart the compositor, \
                        for example by logging out and in again.
                        """
                    ),
                retryable: true
            )
        }
    }

    deinit {
        wl_display_disconnect(display)
    }

    var descriptor: Int32 { wl_display_get_fd(display) }

    func global(_ interface: String) -> WaylandGlobal? { globals.first { $0.interface == interface } }

    /// Returns the result of `bind` for the first global of this interface, with the highest version that both sides support.
    func bind(
        _ interface: String,
        upTo version: UInt32,
        _ bind: (OpaquePointer?, UInt32, UInt32) -> OpaquePointer?
    ) -> OpaquePointer? {
        global(interface).flatMap { bind(registry, $0.name, min($0.version, version)) }
    }

    /// Waits until the compositor has processed all requests so far. Returns false if that takes too long or the connection ends.
    func wait(within timeout: Duration) -> Bool {
        var isDone = false
        sync { isDone = true }
        let deadline = Stopwatch.reading() + timeout
        while !isDone {
            guard flush() != .lost else { return false }
            let left = deadline - Stopwatch.reading()
            guard left > .zero, Readiness.wait(descriptor, withinMs: left.ms), read() else { return false }
        }
        return true
    }

    /// Calls `done` after the compositor has processed all requests so far.
    func sync(_ done: @escaping () -> Void) {
        guard let callback = wl_display_sync(display) else { return }
        syncHandlers[UInt(bitPattern: callback)] = done
        wl_callback_add_listener(
            callback,
            Self.callbackListener,
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Reads pending events and calls the listeners. Returns false if the connection has ended.
    ///
    /// No other thread reads, so it is sufficient to announce the read immediately before it.
    func read() -> Bool {
        while wl_display_prepare_read(display) != 0 {
            if wl_display_dispatch_pending(display) < 0 { return false }
        }
        guard wl_display_read_events(display) >= 0 || errno == EAGAIN else { return false }
        return wl_display_dispatch_pending(display) >= 0
    }

    enum Flushed { case all, part, lost }

    func flush() -> Flushed {
        if wl_display_flush(display) >= 0 { return .all }
        if errno == EAGAIN { return .part }
        // After a broken pipe, there may still be data to read, such as the error message.
        return errno == EPIPE ? .part : .lost
    }

    // MARK: - Listeners

    private static func instance(_ data: UnsafeMutableRawPointer?) -> WaylandConnection? {
        data.map { Unmanaged<WaylandConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let registryListener = Listener.keep(
        wl_registry_listener(
            global: { data, _, name, interface, version in
                guard let self = WaylandConnection.instance(data), let interface else { return }
                guard self.globals.count < WaylandConnection.globalsMax else { return }
                let text = TextSanitizer.sanitized(interface) ?? ""
                let global = WaylandGlobal(name: name, interface: text, version: version)
                self.globals.append(global)
                self.onGlobal?(global)
            },
            global_remove: { data, _, name in
                guard let self = WaylandConnection.instance(data) else { return }
                self.globals.removeAll { $0.name == name }
                self.onGone?(name)
            }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let callbackListener = Listener.keep(
        wl_callback_listener(done: { data, callback, _ in
            guard let callback, let self = WaylandConnection.instance(data) else { return }
            wl_callback_destroy(callback)
            self.syncHandlers.removeValue(forKey: UInt(bitPattern: callback))?()
        })
    )
}

/// A global of the compositor.
package struct WaylandGlobal: Sendable, Equatable {
    package var name: UInt32
    package var interface: String
    package var version: UInt32

    package init(name: UInt32, interface: String, version: UInt32) {
        self.name = name
        self.interface = interface
        self.version = version
    }
}

/// Stores a table of C functions for the lifetime of the process.
enum Listener {
    static func keep<T>(_ listener: T) -> UnsafePointer<T> {
        let place = UnsafeMutablePointer<T>.allocate(capacity: 1)
        place.initialize(to: listener)
        return UnsafePointer(place)
    }
}

/// Cleans texts from other programs.
enum TextSanitizer {
    /// Returns the text without control characters, as valid UTF-8, with at most `DesktopWindow.textBytesMax` bytes.
    static func sanitized(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text else { return nil }
        // A title can have 64 kB, so only the part that is kept is read.
        let count = strnlength(text, DesktopWindow.textBytesMax + 1)
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        return sanitized(String(decoding: bytes, as: UTF8.self))
    }

    static func sanitized(_ text: String) -> String {
        let harmless = DisplayWidth.sanitized(text)
        guard harmless.utf8.count > DesktopWindow.textBytesMax else { return harmless }
        var result = ""
        var left = DesktopWindow.textBytesMax
        for scalar in harmless.unicodeScalars {
            left -= UTF8.width(scalar)
            guard left >= 0 else { break }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func strnlength(_ text: UnsafePointer<CChar>, _ limit: Int) -> Int {
        var count = 0
        while count < limit, text[count] != 0 { count += 1 }
        return count
    }
}

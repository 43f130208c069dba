import Glibc
import STCScreen
import STDesktop
import STPlatform

/// One connection to a compositor and what it offers.
///
/// Used by one thread at a time: first by the one that makes it, then by the adapter's own.
final class WaylandConnection: @unchecked Sendable {
    // @unchecked: handed over once, before the thread that keeps it has begun with it.
    static let globalsMax = 512

    let display: OpaquePointer
    let registry: OpaquePointer
    private(set) var globals: [WaylandGlobal] = []
    private(set) var compositor: (pid: Int32, program: String?)?
    /// Told of what comes and goes later.
    var onGlobal: ((WaylandGlobal) -> Void)?
    var onGone: ((UInt32) -> Void)?
    private var answers: [UInt: () -> Void] = [:]

    /// Connects and waits until the compositor has said what it offers.
    init(_ path: String, withinMs: Int64) throws(Problem) {
        stw_be_quiet()
        let socket = try WaylandSocket.connect(path).get()
        compositor = WaylandSocket.peer(socket.number)
        // The library closes what it is given, also when it fails; programs that we start do not get it.
        guard let display = wl_display_connect_to_fd(fcntl(socket.number, F_DUPFD_CLOEXEC, 0)) else {
            throw SystemError.last("wl_display_connect", "desktop.no_display")
        }
        guard let registry = wl_display_get_registry(display) else {
            wl_display_disconnect(display)
            throw Problem("desktop.no_display", "There is not enough memory for a connection to the display.")
        }
        self.display = display
        self.registry = registry
        wl_registry_add_listener(registry, Self.registryListener, Unmanaged.passUnretained(self).toOpaque())
        guard wait(withinMs: withinMs) else {
            let shown = TextCare.safe(path)
            throw Problem(
                "desktop.display_silent",
                text: compositor?.program.map {
                    Message(
                        "desktop.display_silent",
                        """
                        \(shown, "path") accepts connections but does not answer. Check what \
                        \($0, "program") is doing.
                        """
                    )
                }
                    ?? Message(
                        "desktop.display_silent.the-compositor",
                        """
                        \(shown, "path") accepts connections but does not answer. Check what the compositor \
                        is doing.
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

    /// What `bind` gives for the first global of that interface, with the highest version both sides know.
    func bind(
        _ interface: String,
        upTo version: UInt32,
        _ bind: (OpaquePointer?, UInt32, UInt32) -> OpaquePointer?
    ) -> OpaquePointer? {
        global(interface).flatMap { bind(registry, $0.name, min($0.version, version)) }
    }

    /// Waits until all that was asked so far has been answered; false when that takes too long, or never comes.
    func wait(withinMs: Int64) -> Bool {
        var isDone = false
        sync { isDone = true }
        let deadline = Stopwatch.milliseconds() + withinMs
        while !isDone {
            guard flush() != .lost else { return false }
            let left = deadline - Stopwatch.milliseconds()
            guard left > 0, Readiness.wait(descriptor, withinMs: left), read() else { return false }
        }
        return true
    }

    /// Called once all that was asked so far has been done.
    func sync(_ done: @escaping () -> Void) {
        guard let callback = wl_display_sync(display) else { return }
        answers[UInt(bitPattern: callback)] = done
        wl_callback_add_listener(
            callback,
            Self.callbackListener,
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Reads what has come and calls the listeners; false when the connection is over.
    ///
    /// No other thread reads, so announcing the read just before it is enough.
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
        // With a broken pipe there may still be something to read, such as the error's own words.
        return errno == EPIPE ? .part : .lost
    }

    // MARK: - Listeners

    private static func of(_ data: UnsafeMutableRawPointer?) -> WaylandConnection? {
        data.map { Unmanaged<WaylandConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let registryListener = Listener.keep(
        wl_registry_listener(
            global: { data, _, name, interface, version in
                guard let self = WaylandConnection.of(data), let interface else { return }
                guard self.globals.count < WaylandConnection.globalsMax else { return }
                let text = TextCare.safe(interface) ?? ""
                let global = WaylandGlobal(name: name, interface: text, version: version)
                self.globals.append(global)
                self.onGlobal?(global)
            },
            global_remove: { data, _, name in
                guard let self = WaylandConnection.of(data) else { return }
                self.globals.removeAll { $0.name == name }
                self.onGone?(name)
            }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let callbackListener = Listener.keep(
        wl_callback_listener(done: { data, callback, _ in
            guard let callback, let self = WaylandConnection.of(data) else { return }
            wl_callback_destroy(callback)
            self.answers.removeValue(forKey: UInt(bitPattern: callback))?()
        })
    )
}

/// What a compositor offers, as it calls it.
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

/// A table of functions in C's hands, for as long as the process lives.
enum Listener {
    static func keep<T>(_ listener: T) -> UnsafePointer<T> {
        let place = UnsafeMutablePointer<T>.allocate(capacity: 1)
        place.initialize(to: listener)
        return UnsafePointer(place)
    }
}

/// Makes safe what other programs say of themselves.
enum TextCare {
    /// No controls, whole UTF-8, at most `DesktopWindow.textBytesMax` bytes.
    static func safe(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text else { return nil }
        // A title may be 64 kB: no more of it is looked at than is kept.
        let count = strnlength(text, DesktopWindow.textBytesMax + 1)
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        return safe(String(decoding: bytes, as: UTF8.self))
    }

    static func safe(_ text: String) -> String {
        let harmless = DisplayWidth.harmless(text)
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

import Glibc
import STCScreen
import STDesktop
import STPlatform

/// A connection to an X server.
///
/// Any query can fail, because windows disappear. The result is then `nil`, with no other effect. Errors of other requests arrive
/// as events, which are ignored.
final class XConnection {
    let raw: OpaquePointer
    let descriptor: Int32
    let root: UInt32
    let screen: xcb_screen_t
    let atoms: XAtoms
    let pixels: XPixels
    /// The process that listens at the display.
    let server: Int32?
    private var clock = XServerClock()

    /// Time limit for the server to accept the connection.
    static let connectTimeout = Duration.seconds(2)
    static let noDisplay = "x11.no_display"

    convenience init(environment: [String: String]) throws(Problem) {
        guard let name = environment["DISPLAY"], !name.isEmpty else {
            throw Problem(
                Self.noDisplay,
                "There is no X display: DISPLAY is not set. Start this program within the graphical session.",
                key: "x11.no_display"
            )
        }
        try self.init(display: name, authority: environment["XAUTHORITY"], home: environment["HOME"])
    }

    init(display name: String, authority: String?, home: String?) throws(Problem) {
        let door = try XDisplaySocket.open(display: name)
        let watchdog = Watchdog(door.descriptor, after: Self.connectTimeout)
        defer { watchdog.stop() }
        guard let made = XAuthority(path: authority, home: home).connect(door) else {
            throw Problem(
                Self.noDisplay,
                "The X display \(name, "name") did not accept a connection.",
                key: "x11.no_display.no-connection",
                retryable: true
            )
        }
        let number = xcb_connection_has_error(made)
        guard number == 0, let setup = xcb_get_setup(made) else {
            xcb_disconnect(made)
            throw Self.refused(name, number)
        }
        var screens = xcb_setup_roots_iterator(setup)
        for _ in 0..<door.screen where screens.rem > 1 { xcb_screen_next(&screens) }
        guard screens.rem > 0, let first = screens.data else {
            xcb_disconnect(made)
            throw Problem(
                Self.noDisplay,
                "The X display \(name, "name") has no screen.",
                key: "x11.no_display.no-screen"
            )
        }
        raw = made
        descriptor = xcb_get_file_descriptor(made)
        screen = first.pointee
        root = screen.root
        atoms = XAtoms(made)
        pixels = XPixels(setup, first)
        server = door.server
        guard xcb_connection_has_error(made) == 0 else {
            xcb_disconnect(made)
            throw Self.refused(name, 1)
        }
    }

    deinit { xcb_disconnect(raw) }

    private static func refused(_ name: String, _ number: Int32) -> Problem {
        let isRefusal = number == XCB_CONN_ERROR
        return Problem(
            noDisplay,
            text: isRefusal
                ? Message(
                    "x11.no_display.refused",
                    """
                    The X display \(name, "name") refused the connection, or did not answer within \
                    \(connectTimeout.ms, "time") ms. Set XAUTHORITY to the authority file of this session.
                    """
                )
                : Message(
                    "x11.no_display.unusable",
                    "The X display \(name, "name") cannot be used (\(number, "number"))."
                ),
            retryable: true
        )
    }

    var hasEnded: Bool { xcb_connection_has_error(raw) != 0 }

    func flush() { xcb_flush(raw) }

    func newID() -> UInt32 { xcb_generate_id(raw) }

    /// Returns the time since that server time.
    func age(ofServerMs serverMs: UInt32) -> Duration {
        clock.age(ofServerMs: serverMs, now: Stopwatch.reading())
    }

    /// Waits until the server has processed all requests so far. Returns false if the server is gone.
    @discardableResult
    func sync() -> Bool {
        guard let reply = xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil) else { return false }
        free(reply)
        return true
    }

    /// Returns the window that has the keyboard, or 0.
    func inputFocus() -> UInt32 {
        guard let reply = xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil) else { return 0 }
        defer { free(reply) }
        return reply.pointee.focus
    }

    /// The bits of a window's number that a client chooses. The other bits identify the client.
    var idMask: UInt32 { xcb_get_setup(raw).pointee.resource_id_mask }

    /// Returns true if a window is viewable and at least `side` pixels wide and high.
    func isShown(_ window: UInt32, atLeast side: Int) -> Bool {
        let (look, size) = (xcb_get_window_attributes(raw, window), xcb_get_geometry(raw, window))
        let state = xcb_get_window_attributes_reply(raw, look, nil)
        let geometry = xcb_get_geometry_reply(raw, size, nil)
        defer {
            free(state)
            free(geometry)
        }
        guard let state, let geometry else { return false }
        return state.pointee.map_state == UInt8(XCB_MAP_STATE_VIEWABLE.rawValue)
            && min(Int(geometry.pointee.width), Int(geometry.pointee.height)) >= side
    }

    /// Returns the first event number of an extension, or `nil` if the server does not have the extension.
    func firstEvent(of which: st_extension) -> UInt8? {
        var number: UInt8 = 0
        return st_has_extension(raw, which, &number) ? number : nil
    }

    /// Returns true if the server reports the process of a window.
    func reportsOwners() -> Bool {
        guard firstEvent(of: ST_RES) != nil else { return false }
        guard let reply = xcb_res_query_version_reply(raw, xcb_res_query_version(raw, 1, 2), nil) else {
            return false
        }
        defer { free(reply) }
        return (reply.pointee.server_major, reply.pointee.server_minor) >= (1, 2)
    }

    // MARK: - The tree of windows

    func parent(of window: UInt32) -> UInt32? {
        guard let reply = xcb_query_tree_reply(raw, xcb_query_tree(raw, window), nil) else { return nil }
        defer { free(reply) }
        return reply.pointee.parent
    }

    /// Returns the children, the lowest first.
    func children(of window: UInt32) -> [UInt32] {
        guard let reply = xcb_query_tree_reply(raw, xcb_query_tree(raw, window), nil) else { return [] }
        defer { free(reply) }
        let count = Int(xcb_query_tree_children_length(reply))
        return Array(UnsafeBufferPointer(start: xcb_query_tree_children(reply), count: count))
    }

    // MARK: - Properties

    func requestProperty(_ window: UInt32, _ property: UInt32, words: UInt32) -> xcb_get_property_cookie_t {
        xcb_get_property(raw, 0, window, property, 0, 0, words)
    }

    func readProperty(_ cookie: xcb_get_property_cookie_t) -> XProperty? {
        guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return nil }
        defer { free(reply) }
        guard reply.pointee.type != 0 else { return nil }
        return XProperty(
            type: reply.pointee.type,
            format: reply.pointee.format,
            bytes: Array(
                UnsafeRawBufferPointer(
                    start: xcb_get_property_value(reply),
                    count: Int(xcb_get_property_value_length(reply))
                )
            )
        )
    }

    func property(_ window: UInt32, _ property: UInt32, words: UInt32) -> XProperty? {
        readProperty(requestProperty(window, property, words: words))
    }

    func set(_ window: UInt32, _ property: UInt32, type: UInt32, words: [UInt32]) {
        set(window, property: property, type: type, bits: 32, count: words.count, data: words)
    }

    func set(_ window: UInt32, _ property: UInt32, type: UInt32, text: [UInt8]) {
        set(window, property: property, type: type, bits: 8, count: text.count, data: text)
    }

    private func set(
        _ window: UInt32,
        property: UInt32,
        type: UInt32,
        bits: UInt8,
        count: Int,
        data: UnsafeRawPointer
    ) {
        let replace = UInt8(XCB_PROP_MODE_REPLACE.rawValue)
        xcb_change_property(raw, replace, window, property, type, bits, UInt32(count), data)
    }

    func select(_ window: UInt32, _ mask: xcb_event_mask_t...) {
        var bits = mask.reduce(0) { $0 | $1.rawValue }
        xcb_change_window_attributes(raw, window, XCB_CW_EVENT_MASK.rawValue, &bits)
    }

    /// Sends a message to the window manager, in the role of a pager.
    func tellManager(_ window: UInt32, type: UInt32, words: [UInt32]) {
        let five = (words + [0, 0, 0, 0, 0]).prefix(5)
        st_tell_manager(raw, root, window, type, Array(five), true)
    }
}

/// A property of a window or of the root. It comes from other programs and can have any content.
struct XProperty: Equatable {
    /// Upper bound on the four-byte words of a text. The rest is not read.
    static let textWords: UInt32 = 512
    /// Upper bound on the words of a list of windows or atoms.
    static let listWords: UInt32 = 4_096
    private static let latin: UInt32 = 31

    var type: UInt32
    var format: UInt8
    var bytes: [UInt8]

    var words: [UInt32] {
        guard format == 32 else { return [] }
        return bytes.withUnsafeBytes { raw in
            stride(from: 0, through: raw.count - 4, by: 4).map {
                raw.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
            }
        }
    }

    /// The cleaned text. `nil` if there is none.
    var text: String? { format == 8 ? Self.safe(bytes[...], isLatin: type == Self.latin) : nil }

    /// The value of WM_CLASS: two strings, each with a zero at its end.
    var pair: (String?, String?) {
        guard format == 8 else { return (nil, nil) }
        let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        // Text that is valid UTF-8 is read as UTF-8, even if the program declares Latin-1.
        func part(_ index: Int) -> String? {
            guard index < parts.count else { return nil }
            return Self.safe(parts[index], isLatin: String(validating: parts[index], as: UTF8.self) == nil)
        }
        return (part(0), part(1))
    }

    static func safe(_ bytes: ArraySlice<UInt8>, isLatin: Bool) -> String? {
        // Some programs write a zero at the end, and some write several texts.
        let first = bytes.prefix { $0 != 0 }
        guard !first.isEmpty else { return nil }
        let text =
            isLatin
            ? String(String.UnicodeScalarView(first.map { Unicode.Scalar($0) }))
            : String(decoding: first, as: UTF8.self)
        return TextFormat.truncated(DisplayWidth.sanitized(text), bytes: DesktopWindow.textBytesMax)
    }
}

/// Converts server times of events to the time since the event.
///
/// The server counts milliseconds from an unknown start, in 32 bits. The smallest difference from the local time belongs to a
/// message that arrived without delay. A larger difference of a later message is its delay.
struct XServerClock {
    /// Upper bound on delays. Larger differences are errors, or the server's clock was set.
    private static let lateMax = Duration.seconds(10)

    private var nearest: UInt32?

    /// Returns the time since that server time.
    mutating func age(ofServerMs server: UInt32, now: Duration) -> Duration {
        // 0 means now in the protocol.
        guard server != 0 else { return .zero }
        let distance = UInt32(truncatingIfNeeded: now.ms) &- server
        guard let known = nearest else {
            nearest = distance
            return .zero
        }
        let late = Duration.milliseconds(Int32(bitPattern: distance &- known))
        if late < .zero || late > Self.lateMax {
            nearest = distance
            return .zero
        }
        return late
    }
}

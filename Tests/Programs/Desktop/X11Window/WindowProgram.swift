import Glibc
import STCScreen
import STPlatform

/// Windows of a real X client that do what they are told, a command a line, each answered with `ok …` or `no …` once the
/// server has done it.
///
/// `map TITLE CLASS [X Y W H]` answers with the window's number and its id; CLASS may be `none`. The others are for the
/// last window, or for the one whose number goes first: `title`, `old-title`, `title-bytes COUNT HEX`, `class`, `pid N`,
/// `gtk`, `kde`, `type`, `colour RRGGBB`; `move`, `resize`, `raise`, `activate`, `focus`, `minimize`, `fullscreen on`,
/// `desktop N`, `unmap`, `show`, `destroy`, `fight MS` (raises itself); `text` and `input` (motions, presses, letters) say
/// what has come. For the program: `menu open|close` (two grab states, 0 is success), `bring ID` (anybody's window, to the front), `storm N`, `lie PID` (for
/// windows to come), `pid`, `quit`.
final class WindowProgram {
    let connection: OpaquePointer
    let root: UInt32
    let screen: xcb_screen_t
    var windows: [Int: AppWindow] = [:]
    var last = 0
    var menu: UInt32?
    /// The process that new windows say they belong to.
    var claimedPid = UInt32(bitPattern: getpid())
    private let typing: Typing
    private var isOver = false
    private var atoms: [String: UInt32] = [:]

    init?() {
        guard let made = xcb_connect(nil, nil), xcb_connection_has_error(made) == 0,
            let screen = xcb_setup_roots_iterator(xcb_get_setup(made)).data?.pointee
        else { return nil }
        connection = made
        self.screen = screen
        root = screen.root
        typing = Typing(made)
    }

    func run() {
        var lines = LineSplitter()
        var items = [
            pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
            pollfd(fd: xcb_get_file_descriptor(connection), events: Int16(POLLIN), revents: 0),
        ]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isOver, xcb_connection_has_error(connection) == 0 {
            takeEvents()
            fight()
            xcb_flush(connection)
            guard poll(&items, 2, patience()) >= 0 || errno == EINTR else { return }
            guard items[0].revents != 0 else { continue }
            let count = read(0, &buffer, buffer.count)
            guard count > 0 else { return }
            lines.add(buffer[..<count]) { take($0) }
        }
    }

    func quit() { isOver = true }

    private func take(_ line: String) {
        // What came before the line is before it.
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
        takeEvents()
        let answer = answer(line)
        // Only what the server has done is done.
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
        takeEvents()
        let bytes =
            Array((answer.map { $0.isEmpty ? "ok" : "ok \($0)" } ?? "no \(line.prefix(80))").utf8) + [10]
        _ = write(1, bytes, bytes.count)
    }

    func atom(_ name: String) -> UInt32 {
        if let known = atoms[name] { return known }
        let cookie = xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name)
        guard let reply = xcb_intern_atom_reply(connection, cookie, nil) else { return 0 }
        defer { free(reply) }
        atoms[name] = reply.pointee.atom
        return reply.pointee.atom
    }

    // MARK: - Events

    func takeEvents() {
        while let event = xcb_poll_for_event(connection) {
            take(event)
            free(event)
        }
    }

    private func take(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        switch Int32(event.pointee.response_type & 0x7F) {
        case XCB_KEY_PRESS:
            let key = st_key_press(event)
            change(key.event) { $0.text += typing.text(code: key.detail, bits: key.state) }
        case XCB_MOTION_NOTIFY: change(st_motion_notify(event).event) { $0.motions += 1 }
        case XCB_BUTTON_PRESS: change(st_button_press(event).event) { $0.presses += 1 }
        case XCB_CLIENT_MESSAGE:
            let message = st_client_message(event)
            guard st_message_word(message, 0) == atom("WM_DELETE_WINDOW") else { return }
            guard let number = windows.first(where: { $0.value.id == message.window })?.key else { return }
            xcb_destroy_window(connection, message.window)
            windows[number] = nil
        default: break
        }
    }

    private func change(_ id: UInt32, _ body: (inout AppWindow) -> Void) {
        guard let number = windows.first(where: { $0.value.id == id })?.key, var window = windows[number]
        else {
            return
        }
        body(&window)
        windows[number] = window
    }

    // MARK: - Windows that want to be on top

    private func fight() {
        let now = Stopwatch.milliseconds()
        for (number, window) in windows where window.fightMs > 0 && window.fightDueMs <= now {
            raise(window.id)
            windows[number]?.fightDueMs = now + Int64(window.fightMs)
        }
    }

    private func patience() -> Int32 {
        let due = windows.values.filter { $0.fightMs > 0 }.map(\.fightDueMs).min()
        return due.map { Int32(clamping: max(0, $0 - Stopwatch.milliseconds())) } ?? -1
    }

    func raise(_ id: UInt32) {
        var above = XCB_STACK_MODE_ABOVE.rawValue
        xcb_configure_window(connection, id, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), &above)
    }
}

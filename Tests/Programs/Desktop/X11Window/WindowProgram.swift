import Glibc
import STCScreen
import STPlatform
import STTestDisplay

/// Windows of a real X client that perform commands, one a line. Each is answered with `ok …` or `no …` once the server has
/// performed it.
///
/// `map TITLE CLASS [X Y W H]` answers with the window's number and its id. CLASS may be `none`.
///
/// The following are for the last window, or for the window whose number comes first:
///
/// - Properties: `title`, `old-title`, `title-bytes COUNT HEX`, `class`, `pid N`, `gtk`, `kde`, `type`, `colour RRGGBB`
/// - State: `move`, `resize`, `raise`, `activate`, `focus`, `minimize`, `fullscreen on`, `desktop N`, `unmap`, `show`, `destroy`
/// - `fight MS` (raises itself)
/// - `text` and `input` (motions, presses, letters) answer with the received input
///
/// For the program: `menu open|close` (two grab states, 0 is success), `bring ID` (activates any window), `storm N`, `quit`,
/// `pid`, and `lie PID` (for later windows).
final class WindowProgram {
    private let connection: OpaquePointer
    private let root: UInt32
    private let screen: xcb_screen_t
    private var windows: [Int: AppWindow] = [:]
    private var last = 0
    private var menu: UInt32?
    /// The process that new windows claim as their owner.
    private var claimedPid = UInt32(bitPattern: getpid())
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
        obeyCommands(beside: xcb_get_file_descriptor(connection), patienceMs: patience) {
            takeEvents()
            fight()
            xcb_flush(connection)
            return !isOver && xcb_connection_has_error(connection) == 0
        } _: { line in
            // Handle earlier events before the line.
            takeAllEvents()
            defer { takeAllEvents() }
            return answer(line)
        }
    }

    /// Waits until the server has handled all requests, and handles its events.
    private func takeAllEvents() {
        free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
        takeEvents()
    }

    private func atom(_ name: String) -> UInt32 {
        if let known = atoms[name] { return known }
        let cookie = xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name)
        guard let reply = xcb_intern_atom_reply(connection, cookie, nil) else { return 0 }
        defer { free(reply) }
        atoms[name] = reply.pointee.atom
        return reply.pointee.atom
    }

    // MARK: - Events

    private func takeEvents() {
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

    private func raise(_ id: UInt32) {
        var above = XCB_STACK_MODE_ABOVE.rawValue
        xcb_configure_window(connection, id, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), &above)
    }

    // MARK: - Commands

    /// Returns the answer after `ok`, or `nil` for an unknown command.
    private func answer(_ line: String) -> String? {
        var words = line.split(separator: " ").map(String.init)
        var number = last
        if let first = words.first, let named = Int(first) {
            number = named
            words.removeFirst()
        }
        guard let command = words.first else { return nil }
        let rest = Array(words.dropFirst())
        switch command {
        case "map": return map(rest)
        case "menu": return menu(rest)
        case "storm": return storm(rest)
        case "server":
            // Grabs or releases the server.
            _ = rest.first == "take" ? xcb_grab_server(connection) : xcb_ungrab_server(connection)
            // Wait until the server has done it.
            free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
            return ""
        case "bring":
            guard let id = rest.first.flatMap({ UInt32($0) }) else { return nil }
            tell(id: id, type: "_NET_ACTIVE_WINDOW", words: [2, 0, 0])
            return ""
        case "lie":
            guard let number = rest.first.flatMap({ UInt32($0) }) else { return nil }
            claimedPid = number
            return ""
        case "quit":
            isOver = true
            return ""
        case "pid": if rest.isEmpty { return String(getpid()) }
        default: break
        }
        guard let window = windows[number] else { return nil }
        return shape(id: window.id, command: command, words: rest) ?? say(
            id: window.id,
            command: command,
            words: rest,
            line: line
        )
            ?? ask(number, window: window, command: command, words: rest)
    }

    private func map(_ words: [String]) -> String? {
        guard words.count >= 2 else { return nil }
        let numbers = words.dropFirst(2).prefix(4).compactMap { Int32($0) }
        let place = numbers.count == 4 ? numbers : [40, 40, 400, 300]
        last += 1
        let id = xcb_generate_id(connection)
        create(id, place)
        windows[last] = AppWindow(id: id)
        setText(id: id, name: "_NET_WM_NAME", type: "UTF8_STRING", bytes: Array(words[0].utf8))
        if words[1] != "none" { setClass(id, words[1]) }
        set(id: id, name: "_NET_WM_PID", type: "CARDINAL", words: [claimedPid])
        set(id: id, name: "WM_PROTOCOLS", type: "ATOM", words: [atom("WM_DELETE_WINDOW")])
        // The user's own position and size, so that the window manager keeps them.
        let hints = [UInt32(1 | 2)] + place.map { UInt32(bitPattern: $0) } + [UInt32](repeating: 0, count: 13)
        set(id: id, name: "WM_NORMAL_HINTS", type: "WM_SIZE_HINTS", words: hints)
        if words.count > 6, words[6] != "unmanaged" { setType(id, [words[6]]) }
        // Like programs that show notifications: without input, or the window manager would activate the window.
        if words.count > 6, words[6] == "notification" {
            set(id: id, name: "WM_HINTS", type: "WM_HINTS", words: noInput)
        }
        if words.count > 6, words[6] == "unmanaged" {
            xcb_change_window_attributes(connection, id, XCB_CW_OVERRIDE_REDIRECT.rawValue, [1])
        }
        xcb_map_window(connection, id)
        return "\(last) \(id)"
    }

    /// Only InputHint, which is set to false.
    private var noInput: [UInt32] { [1] + [UInt32](repeating: 0, count: 8) }

    private func create(_ id: UInt32, _ place: [Int32]) {
        let events =
            XCB_EVENT_MASK_KEY_PRESS.rawValue | XCB_EVENT_MASK_POINTER_MOTION.rawValue
            | XCB_EVENT_MASK_BUTTON_PRESS.rawValue
        xcb_create_window(
            connection,
            screen.root_depth,
            id,
            root,
            Int16(clamping: place[0]),
            Int16(clamping: place[1]),
            UInt16(clamping: max(1, place[2])),
            UInt16(clamping: max(1, place[3])),
            0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
            screen.root_visual,
            XCB_CW_BACK_PIXEL.rawValue | XCB_CW_EVENT_MASK.rawValue,
            [0x3366CC, events]
        )
    }

    // MARK: - Where a window is

    private func shape(id: UInt32, command: String, words: [String]) -> String? {
        let numbers = words.compactMap { Int32($0) }
        switch (command, numbers.count) {
        case ("move", 2):
            configure(
                id: id,
                mask: XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue,
                values: numbers
            )
        case ("resize", 2):
            configure(
                id: id,
                mask: XCB_CONFIG_WINDOW_WIDTH.rawValue | XCB_CONFIG_WINDOW_HEIGHT.rawValue,
                values: numbers
            )
        case ("raise", _): raise(id)
        case ("unmap", _): unmap(id)
        case ("show", _): xcb_map_window(connection, id)
        case ("desktop", 1):
            tell(id: id, type: "_NET_WM_DESKTOP", words: [UInt32(bitPattern: numbers[0]), 1])
        case ("minimize", _): tell(id: id, type: "WM_CHANGE_STATE", words: [3])
        case ("activate", _): tell(id: id, type: "_NET_ACTIVE_WINDOW", words: [2, 0, 0])
        case ("focus", _): xcb_set_input_focus(connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), id, 0)
        case ("fullscreen", _):
            tell(
                id: id,
                type: "_NET_WM_STATE",
                words: [words.first == "on" ? 1 : 0, atom("_NET_WM_STATE_FULLSCREEN"), 0, 1]
            )
        default: return nil
        }
        return ""
    }

    private func configure(id: UInt32, mask: UInt32, values: [Int32]) {
        xcb_configure_window(connection, id, UInt16(mask), values.map { UInt32(bitPattern: $0) })
    }

    /// Unmaps a window by ICCCM, also if it is minimised already.
    private func unmap(_ id: UInt32) {
        xcb_unmap_window(connection, id)
        var event = xcb_unmap_notify_event_t()
        event.response_type = UInt8(XCB_UNMAP_NOTIFY)
        event.event = root
        event.window = id
        let mask =
            XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT.rawValue
        // Events are 32 bytes, and this one is shorter.
        var bytes = [CChar](repeating: 0, count: 32)
        withUnsafeBytes(of: event) { raw in
            for (index, byte) in raw.enumerated() { bytes[index] = CChar(bitPattern: byte) }
        }
        xcb_send_event(connection, 0, root, mask, bytes)
    }

    private func tell(id: UInt32, type: String, words: [UInt32]) {
        st_tell_manager(connection, root, id, atom(type), Array((words + [0, 0, 0, 0, 0]).prefix(5)), true)
    }

    // MARK: - What a window says of itself

    private func say(id: UInt32, command: String, words: [String], line: String) -> String? {
        switch command {
        case "title":
            setText(
                id: id,
                name: "_NET_WM_NAME",
                type: "UTF8_STRING",
                bytes: Array(words.joined(separator: " ").utf8)
            )
        case "title-bytes":
            // A title of `count` equal bytes.
            guard words.count == 2, let count = Int(words[0]), let byte = UInt8(words[1], radix: 16) else {
                return nil
            }
            setText(
                id: id,
                name: "_NET_WM_NAME",
                type: "UTF8_STRING",
                bytes: [UInt8](repeating: byte, count: count)
            )
        case "old-title":
            xcb_delete_property(connection, id, atom("_NET_WM_NAME"))
            setText(id: id, name: "WM_NAME", type: "STRING", bytes: Array(words.joined(separator: " ").utf8))
        case "class":
            guard let name = words.first else { return nil }
            if name == "none" {
                xcb_delete_property(connection, id, atom("WM_CLASS"))
            } else {
                setClass(id, name)
            }
        case "pid":
            guard let number = words.first.flatMap({ UInt32($0) }) else { return nil }
            set(id: id, name: "_NET_WM_PID", type: "CARDINAL", words: [number])
        case "gtk":
            setText(
                id: id,
                name: "_GTK_APPLICATION_ID",
                type: "UTF8_STRING",
                bytes: Array(words.joined().utf8)
            )
        case "kde":
            setText(
                id: id,
                name: "_KDE_NET_WM_DESKTOP_FILE",
                type: "UTF8_STRING",
                bytes: Array(words.joined().utf8)
            )
        case "type": setType(id, words)
        case "colour":
            guard var pixel = words.first.flatMap({ UInt32($0, radix: 16) }) else { return nil }
            xcb_change_window_attributes(connection, id, XCB_CW_BACK_PIXEL.rawValue, &pixel)
            xcb_clear_area(connection, 0, id, 0, 0, 0, 0)
        default: return nil
        }
        return ""
    }

    private func setType(_ id: UInt32, _ words: [String]) {
        let types = words.map { atom("_NET_WM_WINDOW_TYPE_\($0.uppercased())") }
        set(id: id, name: "_NET_WM_WINDOW_TYPE", type: "ATOM", words: types)
    }

    private func setClass(_ id: UInt32, _ name: String) {
        setText(
            id: id,
            name: "WM_CLASS",
            type: "STRING",
            bytes: Array(name.lowercased().utf8) + [0] + Array(name.utf8) + [0]
        )
    }

    private func setText(id: UInt32, name: String, type: String, bytes: [UInt8]) {
        let mode = UInt8(XCB_PROP_MODE_REPLACE.rawValue)
        xcb_change_property(connection, mode, id, atom(name), atom(type), 8, UInt32(bytes.count), bytes)
    }

    private func set(id: UInt32, name: String, type: String, words: [UInt32]) {
        let mode = UInt8(XCB_PROP_MODE_REPLACE.rawValue)
        xcb_change_property(connection, mode, id, atom(name), atom(type), 32, UInt32(words.count), words)
    }

    // MARK: - What was done to a window

    private func ask(_ number: Int, window: AppWindow, command: String, words: [String]) -> String? {
        switch command {
        case "text": return window.text
        case "input": return "\(window.motions) \(window.presses) \(window.text.count)"
        case "fight":
            guard let interval = words.first.flatMap({ Int($0) }) else { return nil }
            windows[number]?.fightMs = interval
            return ""
        case "destroy":
            xcb_destroy_window(connection, window.id)
            windows[number] = nil
            return ""
        default: return nil
        }
    }

    /// Opens or closes a menu like those of toolkits: an unmanaged window that grabs pointer and keyboard while it is open.
    private func menu(_ words: [String]) -> String? {
        switch words.first {
        case "open": return openMenu()
        case "close":
            xcb_ungrab_pointer(connection, 0)
            xcb_ungrab_keyboard(connection, 0)
            if let menu { xcb_destroy_window(connection, menu) }
            menu = nil
            return ""
        default: return nil
        }
    }

    private func openMenu() -> String? {
        let id = xcb_generate_id(connection)
        xcb_create_window(
            connection,
            screen.root_depth,
            id,
            root,
            100,
            100,
            120,
            200,
            1,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
            screen.root_visual,
            XCB_CW_BACK_PIXEL.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue,
            [UInt32(0xDDDDDD), 1]
        )
        xcb_map_window(connection, id)
        menu = id
        let isAsync = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let events = UInt16(XCB_EVENT_MASK_BUTTON_PRESS.rawValue)
        let pointer = xcb_grab_pointer_reply(
            connection,
            xcb_grab_pointer(connection, 1, id, events, isAsync, isAsync, 0, 0, 0),
            nil
        )
        let keys = xcb_grab_keyboard_reply(
            connection,
            xcb_grab_keyboard(connection, 1, id, 0, isAsync, isAsync),
            nil
        )
        defer {
            free(pointer)
            free(keys)
        }
        return "\(pointer?.pointee.status ?? 255) \(keys?.pointee.status ?? 255)"
    }

    /// Creates windows that exist for less than a millisecond.
    private func storm(_ words: [String]) -> String? {
        guard let count = words.first.flatMap({ Int($0) }) else { return nil }
        for index in 0..<count {
            _ = answer("map storm-\(index) Storm 10 10 50 50")
            let number = last
            // The window manager sees some of them first, and some never.
            if index % 3 == 0 {
                free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
            }
            _ = answer("\(number) destroy")
            takeEvents()
        }
        return ""
    }
}

struct AppWindow {
    let id: UInt32
    /// All text that was typed into it.
    var text = ""
    var motions = 0
    var presses = 0
    /// The interval in milliseconds at which it raises itself. 0 if it does not.
    var fightMs = 0
    var fightDueMs: Int64 = 0
}

/// The text of keys, in the layout of the display.
final class Typing {
    private let state: OpaquePointer?

    init(_ connection: OpaquePointer) {
        xkb_x11_setup_xkb_extension(
            connection,
            1,
            0,
            XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS,
            nil,
            nil,
            nil,
            nil
        )
        let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS)
        let device = xkb_x11_get_core_keyboard_device_id(connection)
        let keymap = xkb_x11_keymap_new_from_device(context, connection, device, XKB_KEYMAP_COMPILE_NO_FLAGS)
        // Kept for as long as the program runs.
        state = keymap.flatMap { xkb_state_new($0) }
    }

    func text(code: UInt8, bits: UInt16) -> String {
        guard let state else { return "" }
        xkb_state_update_mask(state, UInt32(bits & 0xFF), 0, 0, 0, 0, UInt32(bits >> 13) & 3)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = xkb_state_key_get_utf8(state, xkb_keycode_t(code), &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

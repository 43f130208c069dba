import Glibc
import STCScreen
import STCTestScreen
import STPlatform
import STTestDisplay

/// The shared part of all windows: the connection and the typed text.
final class Client {
    let wire: Wire
    let compositor: OpaquePointer
    let memory: OpaquePointer
    let shell: OpaquePointer
    let seat: OpaquePointer?
    let inhibit: OpaquePointer?
    /// The serial of the last input, which a menu needs.
    private(set) var serial: UInt32 = 0
    private(set) var text = ""
    private(set) var motions = 0
    private var keyboard: OpaquePointer?
    private var pointer: OpaquePointer?
    private let xkb = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES)
    private var state: OpaquePointer?

    init?(_ wire: Wire) {
        guard
            let compositor = wire.bind(
                "wl_compositor",
                version: 4,
                bind: { stw_bind_wl_compositor($0, $1, $2) }
            ),
            let memory = wire.bind("wl_shm", version: 1, bind: { stw_bind_wl_shm($0, $1, $2) }),
            let shell = wire.bind("xdg_wm_base", version: 2, bind: { stw_bind_xdg_wm_base($0, $1, $2) })
        else { return nil }
        self.wire = wire
        self.compositor = compositor
        self.memory = memory
        self.shell = shell
        seat = wire.bind("wl_seat", version: 5) { stw_bind_wl_seat($0, $1, $2) }
        inhibit = wire.bind("zwp_idle_inhibit_manager_v1", version: 1) {
            stw_bind_zwp_idle_inhibit_manager_v1($0, $1, $2)
        }
        let data = Unmanaged.passUnretained(self).toOpaque()
        xdg_wm_base_add_listener(shell, Self.shellListener, nil)
        if let seat { wl_seat_add_listener(seat, Self.seatListener, data) }
    }

    private func take(_ capabilities: UInt32) {
        let data = Unmanaged.passUnretained(self).toOpaque()
        if capabilities & WL_SEAT_CAPABILITY_KEYBOARD.rawValue != 0, keyboard == nil {
            keyboard = wl_seat_get_keyboard(seat)
            wl_keyboard_add_listener(keyboard, Self.keyboardListener, data)
        }
        if capabilities & WL_SEAT_CAPABILITY_POINTER.rawValue != 0, pointer == nil {
            pointer = wl_seat_get_pointer(seat)
            wl_pointer_add_listener(pointer, Self.pointerListener, data)
        }
    }

    private func load(_ descriptor: Int32, _ size: UInt32) {
        let file = OwnedDescriptor(descriptor)
        guard let place = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file.number, 0), place != MAP_FAILED
        else {
            return
        }
        defer { munmap(place, Int(size)) }
        let words = place.assumingMemoryBound(to: CChar.self)
        let keymap = xkb_keymap_new_from_string(
            xkb,
            words,
            XKB_KEYMAP_FORMAT_TEXT_V1,
            XKB_KEYMAP_COMPILE_NO_FLAGS
        )
        xkb_state_unref(state)
        state = keymap.flatMap { xkb_state_new($0) }
        xkb_keymap_unref(keymap)
    }

    private func press(_ code: UInt32) {
        guard let state else { return }
        var buffer = [CChar](repeating: 0, count: 16)
        let count = xkb_state_key_get_utf8(state, code + 8, &buffer, buffer.count)
        guard count > 0 else { return }
        text += String(decoding: buffer[..<Int(count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: - Listeners

    private static func client(_ data: UnsafeMutableRawPointer?) -> Client? {
        data.map { Unmanaged<Client>.fromOpaque($0).takeUnretainedValue() }
    }

    private nonisolated(unsafe) static let shellListener = keep(
        xdg_wm_base_listener(ping: { _, shell, serial in xdg_wm_base_pong(shell, serial) })
    )

    private nonisolated(unsafe) static let seatListener = keep(
        wl_seat_listener(
            capabilities: { data, _, capabilities in Client.client(data)?.take(capabilities) },
            name: { _, _, _ in }
        )
    )

    private nonisolated(unsafe) static let keyboardListener: UnsafePointer<wl_keyboard_listener> = {
        var listener = wl_keyboard_listener()
        listener.keymap = { data, _, _, descriptor, size in Client.client(data)?.load(descriptor, size) }
        listener.enter = { data, _, serial, _, _ in Client.client(data)?.serial = serial }
        listener.leave = { _, _, _, _ in }
        listener.key = { data, _, serial, _, key, state in
            Client.client(data)?.serial = serial
            if state == WL_KEYBOARD_KEY_STATE_PRESSED.rawValue { Client.client(data)?.press(key) }
        }
        listener.modifiers = { data, _, _, depressed, latched, locked, group in
            guard let state = Client.client(data)?.state else { return }
            _ = xkb_state_update_mask(state, depressed, latched, locked, 0, 0, group)
        }
        listener.repeat_info = { _, _, _, _ in }
        return keep(listener)
    }()

    private nonisolated(unsafe) static let pointerListener: UnsafePointer<wl_pointer_listener> = {
        var listener = wl_pointer_listener()
        listener.enter = { data, _, serial, _, _, _ in Client.client(data)?.serial = serial }
        listener.leave = { _, _, _, _ in }
        listener.motion = { data, _, _, _, _ in Client.client(data)?.motions += 1 }
        listener.button = { data, _, serial, _, _, _ in Client.client(data)?.serial = serial }
        listener.axis = { _, _, _, _, _ in }
        listener.frame = { _, _ in }
        listener.axis_source = { _, _, _ in }
        listener.axis_stop = { _, _, _, _ in }
        listener.axis_discrete = { _, _, _, _ in }
        return keep(listener)
    }()
}

import STCScreen

/// What keys write, in the layout of the display.
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

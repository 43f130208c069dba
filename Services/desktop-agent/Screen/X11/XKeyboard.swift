import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Converts key codes to meanings, in the server's current keyboard layouts.
///
/// Created at the first key press, and discarded whenever the server's keyboard changes.
final class XKeyboard {
    private let context: OpaquePointer
    private let keymap: OpaquePointer
    private let state: OpaquePointer
    /// Modifiers that make a key press a command for the app or the desktop: Control, Alt, the logo key. Shift only changes the
    /// letter.
    private static let commands: UInt16 = 4 | 8 | 64
    private static let shift: UInt16 = 1

    init?(_ connection: XConnection) {
        guard
            xkb_x11_setup_xkb_extension(
                connection.raw,
                1,
                0,
                XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS,
                nil,
                nil,
                nil,
                nil
            ) == 1
        else { return nil }
        // A keymap from the server needs none of the files.
        let flags = xkb_context_flags(
            XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue
        )
        guard let context = xkb_context_new(flags) else { return nil }
        let device = xkb_x11_get_core_keyboard_device_id(connection.raw)
        guard
            device >= 0,
            let keymap = xkb_x11_keymap_new_from_device(
                context,
                connection.raw,
                device,
                XKB_KEYMAP_COMPILE_NO_FLAGS
            )
        else {
            xkb_context_unref(context)
            return nil
        }
        guard let state = xkb_state_new(keymap) else {
            xkb_keymap_unref(keymap)
            xkb_context_unref(context)
            return nil
        }
        self.context = context
        self.keymap = keymap
        self.state = state
        st_xkb_watch(connection.raw)
    }

    deinit {
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
        xkb_context_unref(context)
    }

    /// Returns the key for a symbol that needs no modifier, or `nil` if the keyboard has none.
    func code(of symbol: Int32) -> UInt8? {
        (xkb_keymap_min_keycode(keymap)...xkb_keymap_max_keycode(keymap)).lazy.filter { [state] code in
            xkb_state_key_get_one_sym(state, code) == UInt32(bitPattern: symbol)
        }.compactMap { UInt8(exactly: $0) }.first
    }

    /// Returns `nil` for a key without a meaning for panes.
    func key(code: UInt8, state bits: UInt16) -> PaneKey? {
        // With these modifiers, every key is a command.
        guard bits & Self.commands == 0 else { return nil }
        // The low byte of the event's state contains the modifiers, and the higher bits contain the layout.
        xkb_state_update_mask(state, UInt32(bits & 0xFF), 0, 0, 0, 0, UInt32(bits >> 13) & 3)
        let symbol = xkb_state_key_get_one_sym(state, xkb_keycode_t(code))
        switch Int32(bitPattern: symbol) {
        case XKB_KEY_Tab, XKB_KEY_KP_Tab: return bits & Self.shift == 0 ? .next : .previous
        case XKB_KEY_ISO_Left_Tab, XKB_KEY_Up, XKB_KEY_Left: return .previous
        case XKB_KEY_Down, XKB_KEY_Right: return .next
        // The space bar is text. The owner of the pane decides its effect on a button.
        case XKB_KEY_Return, XKB_KEY_KP_Enter: return .press
        case XKB_KEY_Escape: return .cancel
        case XKB_KEY_BackSpace: return .backspace
        default: break
        }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = xkb_state_key_get_utf8(state, xkb_keycode_t(code), &buffer, buffer.count)
        guard count > 0, Int(count) < buffer.count else { return nil }
        let text = String(decoding: buffer[..<Int(count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.isPlain ? .text(text) : nil
    }
}

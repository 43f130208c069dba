import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Converts key codes to meanings, in the user's keyboard layout.
final class KeyMap {
    private static let bytesMax: UInt32 = 1 << 20

    private let context = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES)
    private var keymap: OpaquePointer?
    private var state: OpaquePointer?

    deinit {
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
        xkb_context_unref(context)
    }

    /// Loads a keymap from the compositor's file, and closes the file.
    func load(format: UInt32, _ descriptor: Int32, _ size: UInt32) {
        let file = OwnedDescriptor(descriptor)
        guard format == WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1.rawValue, (2...Self.bytesMax).contains(size),
            let place = mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file.number, 0), place != MAP_FAILED
        else { return }
        defer { munmap(place, Int(size)) }
        let text = place.assumingMemoryBound(to: CChar.self)
        // The text ends with a zero byte, which is not part of it.
        guard
            let new = xkb_keymap_new_from_buffer(
                context,
                text,
                strnlen(text, Int(size)),
                XKB_KEYMAP_FORMAT_TEXT_V1,
                XKB_KEYMAP_COMPILE_NO_FLAGS
            )
        else { return }
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
        keymap = new
        state = xkb_state_new(new)
    }

    func setModifiers(_ depressed: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
        guard let state else { return }
        _ = xkb_state_update_mask(state, depressed, latched, locked, 0, 0, group)
    }

    /// Clears the modifiers. After the keyboard has left, the keys that are held down are unknown.
    func release() { setModifiers(0, latched: 0, locked: 0, group: 0) }

    func paneKey(of code: UInt32) -> PaneKey? {
        guard let state, code < 0xFFFF else { return nil }
        // With these modifiers, every key is a command.
        for name in [XKB_MOD_NAME_CTRL, XKB_MOD_NAME_ALT, XKB_MOD_NAME_LOGO]
        where xkb_state_mod_name_is_active(state, name, XKB_STATE_MODS_EFFECTIVE) > 0 {
            return nil
        }
        // XKB's key codes are the kernel's plus eight.
        let key = code + 8
        switch Int32(bitPattern: xkb_state_key_get_one_sym(state, key)) {
        case XKB_KEY_Tab:
            return xkb_state_mod_name_is_active(state, XKB_MOD_NAME_SHIFT, XKB_STATE_MODS_EFFECTIVE) > 0
                ? .previous : .next
        case XKB_KEY_ISO_Left_Tab, XKB_KEY_Left, XKB_KEY_Up: return .previous
        case XKB_KEY_Right, XKB_KEY_Down: return .next
        case XKB_KEY_Return, XKB_KEY_KP_Enter: return .press
        case XKB_KEY_Escape: return .cancel
        case XKB_KEY_BackSpace: return .backspace
        default: return text(state, key)
        }
    }

    private func text(_ state: OpaquePointer, _ key: UInt32) -> PaneKey? {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = Int(xkb_state_key_get_utf8(state, key, &buffer, buffer.count))
        guard count > 0, count < buffer.count else { return nil }
        let text = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text == DisplayWidth.sanitized(text) ? .text(text) : nil
    }
}

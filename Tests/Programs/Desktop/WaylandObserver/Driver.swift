import Glibc
import STCScreen
import STCTestScreen
import STPlatform
import STTestDisplay

/// A virtual mouse and a virtual keyboard.
final class Driver {
    private let wire: Wire
    private let pointer: OpaquePointer
    private let keyboard: OpaquePointer
    private let size: (width: UInt32, height: UInt32)
    private let keymap: OpaquePointer
    private var time: UInt32 = 0

    init?(_ wire: Wire, width: UInt32, height: UInt32) {
        guard let seat = wire.bind("wl_seat", version: 5, bind: { stw_bind_wl_seat($0, $1, $2) }),
            let mice = wire.bind(
                "zwlr_virtual_pointer_manager_v1",
                version: 2,
                bind: {
                    stw_bind_zwlr_virtual_pointer_manager_v1($0, $1, $2)
                }
            ),
            let keys = wire.bind(
                "zwp_virtual_keyboard_manager_v1",
                version: 1,
                bind: {
                    stw_bind_zwp_virtual_keyboard_manager_v1($0, $1, $2)
                }
            ),
            let pointer = zwlr_virtual_pointer_manager_v1_create_virtual_pointer(mice, seat),
            let keyboard = zwp_virtual_keyboard_manager_v1_create_virtual_keyboard(keys, seat),
            let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS),
            let keymap = xkb_keymap_new_from_names(context, nil, XKB_KEYMAP_COMPILE_NO_FLAGS),
            let text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1)
        else { return nil }
        self.wire = wire
        self.pointer = pointer
        self.keyboard = keyboard
        self.keymap = keymap
        size = (width, height)
        let bytes = strlen(text) + 1
        let number = stw_memory_file("keys", Int64(bytes))
        guard number >= 0, pwrite(number, text, bytes, 0) == bytes else { return nil }
        let format = WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1.rawValue
        zwp_virtual_keyboard_v1_keymap(keyboard, format, number, UInt32(bytes))
        close(number)
        free(text)
        wl_display_roundtrip(wire.display)
    }

    func perform(_ line: String) -> Bool {
        let words = line.split(separator: " ").map(String.init)
        let numbers = words.dropFirst().compactMap { UInt32($0) }
        switch words.first {
        case "motion" where numbers.count == 2: move(numbers[0], numbers[1])
        case "button" where words.count == 2:
            if words[1] != "up" { button(WL_POINTER_BUTTON_STATE_PRESSED.rawValue) }
            if words[1] != "down" { button(WL_POINTER_BUTTON_STATE_RELEASED.rawValue) }
        case "type" where words.count >= 2: type(String(line.dropFirst(5)))
        case "key" where numbers.count == 1: press(numbers[0], isShifted: false)
        case "control" where numbers.count == 1:
            zwp_virtual_keyboard_v1_modifiers(keyboard, 4, 0, 0, 0)
            press(numbers[0], isShifted: false)
            zwp_virtual_keyboard_v1_modifiers(keyboard, 0, 0, 0, 0)
        case "keys" where numbers.count == 1:
            for _ in 0..<numbers[0] { press(30, isShifted: false) }
        case "motions" where numbers.count == 5:
            for step in 0..<numbers[0] {
                move(numbers[1] + step % numbers[3], numbers[2] + step / 7 % numbers[4])
                // Five times as fast as any mouse. If it were faster, a compositor would treat a program that waits for the
                // processor as dead.
                if step % 100 == 99 {
                    wl_display_roundtrip(wire.display)
                    usleep(20_000)
                }
            }
        default: return false
        }
        return wl_display_roundtrip(wire.display) >= 0
    }

    private func now() -> UInt32 {
        time += 1
        return time
    }

    private func move(_ x: UInt32, _ y: UInt32) {
        zwlr_virtual_pointer_v1_motion_absolute(pointer, now(), x, y, size.width, size.height)
        zwlr_virtual_pointer_v1_frame(pointer)
    }

    private func button(_ state: UInt32) {
        zwlr_virtual_pointer_v1_button(pointer, now(), 0x110, state)
        zwlr_virtual_pointer_v1_frame(pointer)
    }

    private func press(_ code: UInt32, isShifted: Bool) {
        if isShifted { zwp_virtual_keyboard_v1_modifiers(keyboard, 1, 0, 0, 0) }
        zwp_virtual_keyboard_v1_key(keyboard, now(), code, WL_KEYBOARD_KEY_STATE_PRESSED.rawValue)
        zwp_virtual_keyboard_v1_key(keyboard, now(), code, WL_KEYBOARD_KEY_STATE_RELEASED.rawValue)
        if isShifted { zwp_virtual_keyboard_v1_modifiers(keyboard, 0, 0, 0, 0) }
        if time % 100 < 2 { wl_display_roundtrip(wire.display) }
    }

    /// Types on a US keyboard.
    private func type(_ text: String) {
        for scalar in text.unicodeScalars {
            let wanted = xkb_utf32_to_keysym(scalar.value)
            for code in UInt32(9)..<120 {
                if symbol(code, 0) == wanted { press(code - 8, isShifted: false); break }
                if symbol(code, 1) == wanted { press(code - 8, isShifted: true); break }
            }
        }
    }

    private func symbol(_ code: UInt32, _ level: UInt32) -> UInt32 {
        var symbols: UnsafePointer<xkb_keysym_t>?
        let count = xkb_keymap_key_get_syms_by_level(keymap, code, 0, level, &symbols)
        return count == 1 ? symbols?.pointee ?? 0 : 0
    }
}

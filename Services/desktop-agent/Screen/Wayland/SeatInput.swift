import Glibc
import STCScreen
import STPlatform

/// Pointer and keyboard input over the surfaces of Screen Time. Bound only while there are panes.
final class SeatInput {
    let handle: OpaquePointer
    private let version: UInt32
    private var capabilities: UInt32 = 0
    private var pointer: OpaquePointer?
    private var keyboard: OpaquePointer?
    private var keymap = KeyMap()
    private var cursor: CursorPicture?
    private let surfaces: Surfaces?
    weak var panes: WaylandPanes?
    /// The part beneath the pointer.
    private var part: SheetPart?
    /// The sheet that has the keyboard.
    private(set) weak var keySheet: Sheet?

    init?(_ connection: WaylandConnection, _ surfaces: Surfaces?) {
        guard let global = connection.global("wl_seat") else { return nil }
        version = min(global.version, 5)
        guard let seat = stw_bind_wl_seat(connection.registry, global.name, version) else { return nil }
        handle = seat
        self.surfaces = surfaces
        wl_seat_add_listener(seat, Self.seatListener, Unmanaged.passUnretained(self).toOpaque())
    }

    var hasKeyboard: Bool { capabilities & WL_SEAT_CAPABILITY_KEYBOARD.rawValue != 0 }

    var isWanted = false {
        didSet { if isWanted != oldValue { bind() } }
    }

    func forget(_ sheet: Sheet) {
        if part?.sheet === sheet { part = nil }
        if keySheet === sheet { keySheet = nil }
    }

    private func bind() {
        let data = Unmanaged.passUnretained(self).toOpaque()
        let wantsPointer = isWanted && capabilities & WL_SEAT_CAPABILITY_POINTER.rawValue != 0
        if wantsPointer, pointer == nil, let new = wl_seat_get_pointer(handle) {
            pointer = new
            wl_pointer_add_listener(new, Self.pointerListener, data)
        } else if !wantsPointer, let old = pointer {
            if version >= 3 { wl_pointer_release(old) } else { wl_pointer_destroy(old) }
            pointer = nil
            part = nil
            cursor = nil
        }
        let wantsKeyboard = isWanted && hasKeyboard
        if wantsKeyboard, keyboard == nil, let new = wl_seat_get_keyboard(handle) {
            keyboard = new
            wl_keyboard_add_listener(new, Self.keyboardListener, data)
        } else if !wantsKeyboard, let old = keyboard {
            if version >= 3 { wl_keyboard_release(old) } else { wl_keyboard_destroy(old) }
            keyboard = nil
            keySheet = nil
            keymap = KeyMap()
        }
    }

    private func foundPart(_ surface: OpaquePointer?) -> SheetPart? {
        guard let surface, let panes else { return nil }
        for sheet in panes.sheets {
            if let part = sheet.parts.first(where: { $0.surface == surface }) { return part }
        }
        return nil
    }

    private func foundSheet(_ surface: OpaquePointer?) -> Sheet? {
        guard let surface, let panes else { return nil }
        return panes.sheets.first { $0.surface == surface }
    }

    private func entered(_ surface: OpaquePointer?, _ serial: UInt32, _ x: wl_fixed_t, _ y: wl_fixed_t) {
        part = foundPart(surface)
        if let surfaces, let pointer, part != nil {
            // The app beneath may have hidden the cursor.
            if cursor == nil { cursor = CursorPicture(surfaces) }
            if let cursor { wl_pointer_set_cursor(pointer, serial, cursor.surface, 0, 0) }
        }
        moved(x, y)
    }

    private func moved(_ x: wl_fixed_t, _ y: wl_fixed_t) {
        guard let part else { return }
        part.sheet.pane.pointed(part, x: Double(x) / 256, y: Double(y) / 256)
    }

    private func keysCame(_ surface: OpaquePointer?) {
        keySheet = foundSheet(surface)
        panes?.mark()
    }

    private func keysWent() {
        keySheet = nil
        keymap.release()
        panes?.mark()
    }

    private func pressed(_ code: UInt32) {
        guard let sheet = keySheet, let key = keymap.meaning(of: code) else { return }
        sheet.pane.key(key)
    }

    // MARK: - Listeners

    private static func seat(_ data: UnsafeMutableRawPointer?) -> SeatInput? {
        data.map { Unmanaged<SeatInput>.fromOpaque($0).takeUnretainedValue() }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let seatListener = Listener.keep(
        wl_seat_listener(
            capabilities: { data, _, capabilities in
                guard let seat = SeatInput.seat(data) else { return }
                seat.capabilities = capabilities
                seat.bind()
                seat.panes?.mark()
            },
            name: { _, _, _ in }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let pointerListener: UnsafePointer<wl_pointer_listener> = {
        var listener = wl_pointer_listener()
        listener.enter = { data, _, serial, surface, x, y in
            SeatInput.seat(data)?.entered(surface, serial, x, y)
        }
        listener.leave = { data, _, _, _ in
            guard let seat = SeatInput.seat(data) else { return }
            seat.part?.sheet.pane.left()
            seat.part = nil
        }
        listener.motion = { data, _, _, x, y in SeatInput.seat(data)?.moved(x, y) }
        listener.button = { data, _, _, _, button, state in
            // Only the left button counts as a press.
            guard button == 0x110, let seat = SeatInput.seat(data), let part = seat.part else { return }
            part.sheet.pane.button(part, isDown: state == WL_POINTER_BUTTON_STATE_PRESSED.rawValue)
        }
        listener.axis = { _, _, _, _, _ in }
        listener.frame = { _, _ in }
        listener.axis_source = { _, _, _ in }
        listener.axis_stop = { _, _, _, _ in }
        listener.axis_discrete = { _, _, _, _ in }
        return Listener.keep(listener)
    }()

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let keyboardListener: UnsafePointer<wl_keyboard_listener> = {
        var listener = wl_keyboard_listener()
        listener.keymap = { data, _, format, descriptor, size in
            SeatInput.seat(data)?.keymap.load(format: format, descriptor, size)
        }
        listener.enter = { data, _, _, surface, _ in SeatInput.seat(data)?.keysCame(surface) }
        listener.leave = { data, _, _, _ in SeatInput.seat(data)?.keysWent() }
        listener.key = { data, _, _, _, key, state in
            guard state == WL_KEYBOARD_KEY_STATE_PRESSED.rawValue else { return }
            SeatInput.seat(data)?.pressed(key)
        }
        listener.modifiers = { data, _, _, depressed, latched, locked, group in
            SeatInput.seat(data)?.keymap.setModifiers(depressed, latched, locked, group)
        }
        listener.repeat_info = { _, _, _, _ in }
        return Listener.keep(listener)
    }()
}

/// An arrow cursor, drawn here because cursor themes need another library. It is only visible over covers.
final class CursorPicture {
    let surface: OpaquePointer
    private let buffer: PaneBuffer

    private static let rows = [
        "#           ", "##          ", "#.#         ", "#..#        ", "#...#       ", "#....#      ",
        "#.....#     ", "#......#    ", "#.......#   ", "#........#  ", "#.........# ", "#......#####",
        "#...#..#    ", "#..##..#    ", "#.#  #..#   ", "##   #..#   ", "#     #..#  ", "      #..#  ",
        "       ##   ",
    ]

    init?(_ surfaces: Surfaces) {
        let pixels: [UInt32] = Self.rows.flatMap { row in
            row.map { $0 == "#" ? 0xFF00_0000 : $0 == "." ? 0xFFFF_FFFF : 0 }
        }
        guard let buffer = PaneBuffer.drawn("cursor", pixels, width: 12, surfaces.memory),
            let surface = wl_compositor_create_surface(surfaces.compositor)
        else { return nil }
        self.buffer = buffer
        self.surface = surface
        wl_surface_attach(surface, buffer.handle, 0, 0)
        wl_surface_damage_buffer(surface, 0, 0, Int32(buffer.width), Int32(buffer.height))
        wl_surface_commit(surface)
    }

    deinit {
        wl_surface_destroy(surface)
    }
}

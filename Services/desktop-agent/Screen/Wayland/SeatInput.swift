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
    private let surfaces: SurfaceFactory?
    weak var panes: WaylandPanes?
    /// The part beneath the pointer.
    private var part: OverlayRegion?
    /// The sheet that has the keyboard.
    private(set) weak var keySheet: OverlaySurface?

    init?(_ connection: WaylandConnection, _ surfaces: SurfaceFactory?) {
        guard let global = connection.global("wl_seat") else { return nil }
        version = min(global.version, 5)
        guard let seat = stw_bind_wl_seat(connection.registry, global.name, version) else { return nil }
        handle = seat
        self.surfaces = surfaces
        wl_seat_add_listener(seat, Self.seatListener, Unmanaged.passUnretained(self).toOpaque())
    }

    var hasKeyboard: Bool { capabilities & WL_SEAT_CAPABILITY_KEYBOARD.rawValue != 0 }

    var isKeyboardWanted = false {
        didSet { if isKeyboardWanted != oldValue { bind() } }
    }

    func remove(_ sheet: OverlaySurface) {
        if part?.sheet === sheet { part = nil }
        if keySheet === sheet { keySheet = nil }
    }

    private func bind() {
        let data = Unmanaged.passUnretained(self).toOpaque()
        let wantsPointer = isKeyboardWanted && capabilities & WL_SEAT_CAPABILITY_POINTER.rawValue != 0
        if wantsPointer, pointer == nil, let new = wl_seat_get_pointer(handle) {
            pointer = new
            wl_pointer_add_listener(new, Self.pointerListener, data)
        } else if !wantsPointer, let old = pointer {
            if version >= 3 { wl_pointer_release(old) } else { wl_pointer_destroy(old) }
            pointer = nil
            part = nil
            cursor = nil
        }
        let wantsKeyboard = isKeyboardWanted && hasKeyboard
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

    private func foundPart(_ surface: OpaquePointer?) -> OverlayRegion? {
        guard let surface, let panes else { return nil }
        for sheet in panes.sheets {
            if let part = sheet.parts.first(where: { $0.surface == surface }) { return part }
        }
        return nil
    }

    private func foundSheet(_ surface: OpaquePointer?) -> OverlaySurface? {
        guard let surface, let panes else { return nil }
        return panes.sheets.first { $0.surface == surface }
    }

    private func entered(_ surface: OpaquePointer?, serial: UInt32, x: wl_fixed_t, y: wl_fixed_t) {
        part = foundPart(surface)
        if let surfaces, let pointer, part != nil {
            // The app beneath may have hidden the cursor.
            if cursor == nil { cursor = CursorPicture(surfaces) }
            if let cursor { wl_pointer_set_cursor(pointer, serial, cursor.surface, 0, 0) }
        }
        pointerDidMove(x, y)
    }

    private func pointerDidMove(_ x: wl_fixed_t, _ y: wl_fixed_t) {
        guard let part else { return }
        part.sheet.pane.pointerDidMove(part, x: Double(x) / 256, y: Double(y) / 256)
    }

    private func keyboardDidEnter(_ surface: OpaquePointer?) {
        keySheet = foundSheet(surface)
        panes?.setNeedsLayout()
    }

    private func keyboardDidLeave() {
        keySheet = nil
        keymap.release()
        panes?.setNeedsLayout()
    }

    private func keyDidPress(_ code: UInt32) {
        guard let sheet = keySheet, let key = keymap.paneKey(of: code) else { return }
        sheet.pane.handleKey(key)
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
                seat.panes?.setNeedsLayout()
            },
            name: { _, _, _ in }
        )
    )

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let pointerListener: UnsafePointer<wl_pointer_listener> = {
        var listener = wl_pointer_listener()
        listener.enter = { data, _, serial, surface, x, y in
            SeatInput.seat(data)?.entered(surface, serial: serial, x: x, y: y)
        }
        listener.leave = { data, _, _, _ in
            guard let seat = SeatInput.seat(data) else { return }
            seat.part?.sheet.pane.pointerDidLeave()
            seat.part = nil
        }
        listener.motion = { data, _, _, x, y in SeatInput.seat(data)?.pointerDidMove(x, y) }
        listener.button = { data, _, _, _, button, state in
            // Only the left button counts as a press.
            guard button == 0x110, let seat = SeatInput.seat(data), let part = seat.part else { return }
            part.sheet.pane.handleButton(part, isDown: state == WL_POINTER_BUTTON_STATE_PRESSED.rawValue)
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
        listener.enter = { data, _, _, surface, _ in SeatInput.seat(data)?.keyboardDidEnter(surface) }
        listener.leave = { data, _, _, _ in SeatInput.seat(data)?.keyboardDidLeave() }
        listener.key = { data, _, _, _, key, state in
            guard state == WL_KEYBOARD_KEY_STATE_PRESSED.rawValue else { return }
            SeatInput.seat(data)?.keyDidPress(key)
        }
        listener.modifiers = { data, _, _, depressed, latched, locked, group in
            SeatInput.seat(data)?.keymap.setModifiers(
                depressed,
                latched: latched,
                locked: locked,
                group: group
            )
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

    init?(_ surfaces: SurfaceFactory) {
        let pixels: [UInt32] = Self.rows.flatMap { row in
            row.map { $0 == "#" ? 0xFF00_0000 : $0 == "." ? 0xFFFF_FFFF : 0 }
        }
        guard let buffer = PaneBuffer.drawn("cursor", pixels: pixels, width: 12, memory: surfaces.memory),
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

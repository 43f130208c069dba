import Glibc
import STCScreen
import STCTestScreen
import STPlatform
import STTestDisplay

/// One window of one colour, with a menu that takes all input while it is open.
final class Window {
    let client: Client
    let surface: OpaquePointer
    let shell: OpaquePointer
    let toplevel: OpaquePointer
    private(set) var size: (width: Int32, height: Int32)
    private var menu: (surface: OpaquePointer, shell: OpaquePointer, popup: OpaquePointer)?
    private(set) var isMenuOpen = false
    var isClosed = false
    var inhibitor: OpaquePointer?

    init?(_ client: Client, title: String, appID: String, _ size: (width: Int32, height: Int32)) {
        guard let surface = wl_compositor_create_surface(client.compositor),
            let shell = xdg_wm_base_get_xdg_surface(client.shell, surface),
            let toplevel = xdg_surface_get_toplevel(shell)
        else { return nil }
        self.client = client
        self.size = size
        self.surface = surface
        self.shell = shell
        self.toplevel = toplevel
        let data = Unmanaged.passUnretained(self).toOpaque()
        xdg_surface_add_listener(shell, Self.shellListener, data)
        xdg_toplevel_add_listener(toplevel, Self.toplevelListener, data)
        setTitle(title)
        xdg_toplevel_set_app_id(toplevel, appID)
        wl_surface_commit(surface)
    }

    func setTitle(_ title: String) {
        // A message has at most 4 kB, and the library ends a program that sends more.
        let bytes = Array(title.utf8.prefix(4_000)).map(CChar.init(bitPattern:)) + [0]
        xdg_toplevel_set_title(toplevel, bytes)
    }

    /// Sets a title that is not valid UTF-8.
    func setBrokenTitle() {
        let bytes: [UInt8] = [0x61, 0xFF, 0xFE, 0x1B, 0x5B, 0x33, 0x31, 0x6D, 0xC3, 0x62, 0]
        xdg_toplevel_set_title(toplevel, bytes.map(CChar.init(bitPattern:)))
    }

    func destroy() {
        closeMenu()
        if let inhibitor { zwp_idle_inhibitor_v1_destroy(inhibitor) }
        xdg_toplevel_destroy(toplevel)
        xdg_surface_destroy(shell)
        wl_surface_destroy(surface)
    }

    func openMenu() -> Bool {
        guard menu == nil, let positioner = xdg_wm_base_create_positioner(client.shell),
            let surface = wl_compositor_create_surface(client.compositor),
            let shell = xdg_wm_base_get_xdg_surface(client.shell, surface)
        else { return false }
        xdg_positioner_set_size(positioner, 150, 200)
        xdg_positioner_set_anchor_rect(positioner, 10, 10, 1, 1)
        xdg_positioner_set_anchor(positioner, XDG_POSITIONER_ANCHOR_BOTTOM_RIGHT.rawValue)
        xdg_positioner_set_gravity(positioner, XDG_POSITIONER_GRAVITY_BOTTOM_RIGHT.rawValue)
        guard let popup = xdg_surface_get_popup(shell, self.shell, positioner) else { return false }
        xdg_positioner_destroy(positioner)
        menu = (surface, shell, popup)
        let data = Unmanaged.passUnretained(self).toOpaque()
        xdg_surface_add_listener(shell, Self.menuShellListener, data)
        xdg_popup_add_listener(popup, Self.popupListener, data)
        if let seat = client.seat { xdg_popup_grab(popup, seat, client.serial) }
        wl_surface_commit(surface)
        return true
    }

    func closeMenu() {
        guard let menu else { return }
        xdg_popup_destroy(menu.popup)
        xdg_surface_destroy(menu.shell)
        wl_surface_destroy(menu.surface)
        self.menu = nil
        isMenuOpen = false
    }

    private func draw(_ surface: OpaquePointer, width: Int32, height: Int32, colour: UInt32) {
        let bytes = Int(width) * Int(height) * 4
        let number = stw_memory_file("window", Int64(bytes))
        guard number >= 0 else { return }
        let file = OwnedDescriptor(number)
        guard let place = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0),
            place != MAP_FAILED
        else { return }
        place.assumingMemoryBound(to: UInt32.self).update(repeating: colour, count: bytes / 4)
        munmap(place, bytes)
        guard let pool = wl_shm_create_pool(client.memory, file.number, Int32(bytes)) else { return }
        let format = WL_SHM_FORMAT_XRGB8888.rawValue
        let buffer = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, format)
        wl_shm_pool_destroy(pool)
        wl_buffer_add_listener(buffer, Self.bufferListener, nil)
        wl_surface_attach(surface, buffer, 0, 0)
        wl_surface_damage_buffer(surface, 0, 0, width, height)
        wl_surface_commit(surface)
    }

    // MARK: - Listeners

    private static func window(_ data: UnsafeMutableRawPointer?) -> Window? {
        data.map { Unmanaged<Window>.fromOpaque($0).takeUnretainedValue() }
    }

    private nonisolated(unsafe) static let bufferListener = keep(
        wl_buffer_listener(release: { _, buffer in
            if let buffer { wl_buffer_destroy(buffer) }
        })
    )

    private nonisolated(unsafe) static let shellListener = keep(
        xdg_surface_listener(configure: { data, shell, serial in
            xdg_surface_ack_configure(shell, serial)
            guard let window = Window.window(data) else { return }
            window.draw(
                window.surface,
                width: window.size.width,
                height: window.size.height,
                colour: 0xFF20_A040
            )
        })
    )

    private nonisolated(unsafe) static let toplevelListener: UnsafePointer<xdg_toplevel_listener> = {
        var listener = xdg_toplevel_listener()
        listener.configure = { data, _, width, height, _ in
            guard width > 0, height > 0 else { return }
            Window.window(data)?.size = (width, height)
        }
        listener.close = { data, _ in
            Window.window(data)?.isClosed = true
            say("closed")

        }
        listener.configure_bounds = { _, _, _, _ in }
        listener.wm_capabilities = { _, _, _ in }
        return keep(listener)
    }()

    private nonisolated(unsafe) static let menuShellListener = keep(
        xdg_surface_listener(configure: { data, shell, serial in
            xdg_surface_ack_configure(shell, serial)
            guard let window = Window.window(data), let menu = window.menu else { return }
            window.draw(menu.surface, width: 150, height: 200, colour: 0xFFE0_E020)
            window.isMenuOpen = true
        })
    )

    private nonisolated(unsafe) static let popupListener = keep(
        xdg_popup_listener(
            configure: { _, _, _, _, _, _ in },
            popup_done: { data, _ in Window.window(data)?.closeMenu() },
            repositioned: { _, _, _ in }
        )
    )
}

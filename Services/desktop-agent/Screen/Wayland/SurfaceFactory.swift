import Glibc
import STCScreen
import STDesktop
import STPlatform

/// The globals that panes need. Creation returns `nil` if one is missing.
final class SurfaceFactory {
    let compositor: OpaquePointer
    let subcompositor: OpaquePointer
    let memory: OpaquePointer
    let viewporter: OpaquePointer
    let shell: OpaquePointer
    /// For covers that are windows of their own. `nil` if the compositor does not offer them.
    let windows: OpaquePointer?

    init?(_ connection: WaylandConnection) {
        func bind(
            _ name: String,
            upTo version: UInt32,
            with bind: (OpaquePointer?, UInt32, UInt32) -> OpaquePointer?
        )
            -> OpaquePointer?
        { connection.bind(name, upTo: version, bind) }
        // Version 4 can report damage in pixels of the picture.
        guard let global = connection.global("wl_compositor"), global.version >= 4,
            let compositor = bind("wl_compositor", upTo: 4, with: { stw_bind_wl_compositor($0, $1, $2) }),
            let parts = bind("wl_subcompositor", upTo: 1, with: { stw_bind_wl_subcompositor($0, $1, $2) }),
            let memory = bind("wl_shm", upTo: 1, with: { stw_bind_wl_shm($0, $1, $2) }),
            let viewporter = bind("wp_viewporter", upTo: 1, with: { stw_bind_wp_viewporter($0, $1, $2) }),
            let shell = bind(
                "zwlr_layer_shell_v1",
                upTo: 4,
                with: { stw_bind_zwlr_layer_shell_v1($0, $1, $2) }
            )
        else { return nil }
        self.compositor = compositor
        subcompositor = parts
        self.memory = memory
        self.viewporter = viewporter
        self.shell = shell
        windows = bind("xdg_wm_base", upTo: 1, with: { stw_bind_xdg_wm_base($0, $1, $2) })
        if let windows { xdg_wm_base_add_listener(windows, Self.pings, nil) }
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let pings = Listener.keep(
        xdg_wm_base_listener(ping: { _, windows, serial in xdg_wm_base_pong(windows, serial) })
    )

    /// Lets all input through to the surface beneath.
    func makeClickThrough(_ surface: OpaquePointer) {
        let region = wl_compositor_create_region(compositor)
        wl_surface_set_input_region(surface, region)
        if let region { wl_region_destroy(region) }
    }
}

/// Pixels that the compositor reads directly from a file. This process does not keep them in memory.
final class PaneBuffer {
    /// Upper bounds, large enough for a wall of monitors.
    static let sideMax = 32_768
    static let bytesMax = 1 << 30

    let handle: OpaquePointer
    let width: Int
    let height: Int
    /// True while the compositor may still read the buffer.
    var isInUse = false
    var onRelease: ((PaneBuffer) -> Void)?

    private init(_ handle: OpaquePointer, width: Int, height: Int) {
        self.handle = handle
        self.width = width
        self.height = height
        wl_buffer_add_listener(handle, Self.listener, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { wl_buffer_destroy(handle) }

    /// Creates a square of pixels in one colour, `0xAARRGGBB`. It is stretched to any size.
    ///
    /// A single pixel is not sufficient for correct edges. pixman counts in 65536ths of a picture pixel, so one pixel stretched
    /// over a monitor ends many pixels too early.
    static func colour(_ colour: UInt32, side: Int, _ memory: OpaquePointer) -> PaneBuffer? {
        let pixels = [UInt32](repeating: premultiplied(colour), count: side * side)
        return drawn("pane", pixels: pixels, width: side, isOpaque: colour >> 24 == 0xFF, memory: memory)
    }

    /// Creates a buffer from rows of premultiplied `0xAARRGGBB`, in a memory file of that name.
    ///
    /// If `isOpaque` is true, the pixels have no alpha channel, and a compositor does not draw the content that the surface covers.
    static func drawn(
        _ name: String,
        pixels: [UInt32],
        width: Int,
        isOpaque: Bool = false,
        memory: OpaquePointer
    ) -> PaneBuffer? {
        let number = stw_memory_file(name, Int64(pixels.count * 4))
        guard number >= 0 else { return nil }
        let file = OwnedDescriptor(number)
        let written = pixels.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
        guard written == pixels.count * 4 else { return nil }
        let format = isOpaque ? WL_SHM_FORMAT_XRGB8888 : WL_SHM_FORMAT_ARGB8888
        return make(file, width: width, height: pixels.count / width, format: format, memory)
    }

    /// Creates a buffer from a picture's file. Returns `nil` if the file is smaller than the picture's size requires.
    static func picture(_ picture: PanePicture, _ memory: OpaquePointer) -> PaneBuffer? {
        guard (1...sideMax).contains(picture.width), (1...sideMax).contains(picture.height) else {
            return nil
        }
        let number = open(picture.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let file = OwnedDescriptor(number)
        var facts = stat()
        let bytes = picture.width * picture.height * 4
        guard bytes <= bytesMax, fstat(file.number, &facts) == 0, Int(facts.st_size) >= bytes else {
            return nil
        }
        return make(
            file,
            width: picture.width,
            height: picture.height,
            format: WL_SHM_FORMAT_ARGB8888,
            memory
        )
    }

    private static func make(
        _ file: OwnedDescriptor,
        width: Int,
        height: Int,
        format: wl_shm_format,
        _ memory: OpaquePointer
    ) -> PaneBuffer? {
        guard let pool = wl_shm_create_pool(memory, file.number, Int32(width * height * 4)) else {
            return nil
        }
        defer { wl_shm_pool_destroy(pool) }
        let buffer = wl_shm_pool_create_buffer(
            pool,
            0,
            Int32(width),
            Int32(height),
            Int32(width * 4),
            format.rawValue
        )
        return buffer.map { PaneBuffer($0, width: width, height: height) }
    }

    private static func premultiplied(_ colour: UInt32) -> UInt32 {
        let alpha = colour >> 24
        let parts = [16, 8, 0].map { shift in
            ((colour >> UInt32(shift) & 0xFF) * alpha / 255) << UInt32(shift)
        }
        return parts.reduce(alpha << 24, |)
    }

    // unsafe: written once, before its first use.
    private nonisolated(unsafe) static let listener = Listener.keep(
        wl_buffer_listener(release: { data, _ in
            guard let data else { return }
            let buffer = Unmanaged<PaneBuffer>.fromOpaque(data).takeUnretainedValue()
            buffer.isInUse = false
            buffer.onRelease?(buffer)
        })
    )
}

import Glibc
import STCScreen
import STCTestScreen
import STPlatform
import STTestDisplay

/// Prints each new colour of one pixel of the compositor's output.
final class Watcher {
    private let manager: OpaquePointer
    private let memory: OpaquePointer
    private let output: OpaquePointer
    private let place: (x: Int32, y: Int32)
    private var pixels: UnsafeMutableRawPointer?
    private var buffer: OpaquePointer?
    private var shape: (format: UInt32, width: Int32, height: Int32, stride: Int32) = (0, 0, 0, 0)
    private var last: UInt32?

    init?(_ wire: Wire, output name: String, x: Int32, y: Int32) {
        guard
            let manager = wire.bind(
                "zwlr_screencopy_manager_v1",
                version: 3,
                bind: {
                    stw_bind_zwlr_screencopy_manager_v1($0, $1, $2)
                }
            ), let memory = wire.bind("wl_shm", version: 1, bind: { stw_bind_wl_shm($0, $1, $2) }),
            let output = wire.output(named: name)
        else { return nil }
        self.manager = manager
        self.memory = memory
        self.output = output
        place = (x, y)
    }

    func begin() {
        let frame = zwlr_screencopy_manager_v1_capture_output_region(
            manager,
            0,
            output,
            place.x,
            place.y,
            1,
            1
        )
        let data = Unmanaged.passUnretained(self).toOpaque()
        zwlr_screencopy_frame_v1_add_listener(frame, Self.listener, data)
    }

    private func copy(_ frame: OpaquePointer?) {
        if buffer == nil {
            let bytes = shape.stride * shape.height
            let number = stw_memory_file("watch", Int64(bytes))
            guard number >= 0, let pool = wl_shm_create_pool(memory, number, bytes) else { return }
            pixels = mmap(nil, Int(bytes), PROT_READ, MAP_SHARED, number, 0)
            buffer = wl_shm_pool_create_buffer(
                pool,
                0,
                shape.width,
                shape.height,
                shape.stride,
                shape.format
            )
            wl_shm_pool_destroy(pool)
            close(number)
        }
        // The first frame is copied immediately, later ones after drawing.
        if last == nil {
            zwlr_screencopy_frame_v1_copy(frame, buffer)
        } else {
            zwlr_screencopy_frame_v1_copy_with_damage(frame, buffer)
        }
    }

    private func ready(_ frame: OpaquePointer?) {
        let now = Stopwatch.bootMicroseconds()
        zwlr_screencopy_frame_v1_destroy(frame)
        if let pixels, pixels != MAP_FAILED {
            let colour = pixels.load(as: UInt32.self) & 0xFF_FFFF
            if colour != last {
                last = colour
                let digits = String(colour, radix: 16, uppercase: true)
                say("\(now) \(String(repeating: "0", count: 6 - digits.count))\(digits)")
            }
        }
        begin()
    }

    private static func watcher(_ data: UnsafeMutableRawPointer?) -> Watcher? {
        data.map { Unmanaged<Watcher>.fromOpaque($0).takeUnretainedValue() }
    }

    private nonisolated(unsafe) static let listener: UnsafePointer<zwlr_screencopy_frame_v1_listener> = {
        var listener = zwlr_screencopy_frame_v1_listener()
        listener.buffer = { data, _, format, width, height, stride in
            Watcher.watcher(data)?.shape = (format, Int32(width), Int32(height), Int32(stride))
        }
        listener.buffer_done = { data, frame in Watcher.watcher(data)?.copy(frame) }
        listener.flags = { _, _, _ in }
        listener.ready = { data, frame, _, _, _ in Watcher.watcher(data)?.ready(frame) }
        listener.failed = { _, _ in exit(1) }
        listener.damage = { _, _, _, _, _, _ in }
        listener.linux_dmabuf = { _, _, _, _, _ in }
        return keep(listener)
    }()
}

extension Wire {
    /// Returns the monitor with a name, or the first one for an empty name.
    func output(named wanted: String) -> OpaquePointer? {
        guard
            let manager = bind(
                "zxdg_output_manager_v1",
                version: 3,
                bind: { stw_bind_zxdg_output_manager_v1($0, $1, $2) }
            )
        else { return nil }
        for output in bindAll("wl_output", version: 3, bind: { stw_bind_wl_output($0, $1, $2) }) {
            let found = Found()
            let details = zxdg_output_manager_v1_get_xdg_output(manager, output)
            zxdg_output_v1_add_listener(
                details,
                Self.detailsListener,
                Unmanaged.passUnretained(found).toOpaque()
            )
            wl_display_roundtrip(display)
            zxdg_output_v1_destroy(details)
            if found.name == wanted { return output }
        }
        return nil
    }

    private final class Found {
        var name = ""
    }

    private nonisolated(unsafe) static let detailsListener: UnsafePointer<zxdg_output_v1_listener> = {
        var listener = zxdg_output_v1_listener()
        listener.logical_position = { _, _, _, _ in }
        listener.logical_size = { _, _, _, _ in }
        listener.done = { _, _ in }
        listener.description = { _, _, _ in }
        listener.name = { data, _, name in
            guard let data, let name else { return }
            Unmanaged<Found>.fromOpaque(data).takeUnretainedValue().name = String(cString: name)
        }
        return keep(listener)
    }()
}

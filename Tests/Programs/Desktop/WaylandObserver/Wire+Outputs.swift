import STCScreen
import STWaylandWire

extension Wire {
    /// The monitor of that name; the first one for an empty name.
    func output(named wanted: String) -> OpaquePointer? {
        guard let manager = bind("zxdg_output_manager_v1", 3, { stw_bind_zxdg_output_manager_v1($0, $1, $2) })
        else { return nil }
        for output in bindAll("wl_output", 3, { stw_bind_wl_output($0, $1, $2) }) {
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

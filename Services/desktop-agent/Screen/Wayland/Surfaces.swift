import STCScreen

/// What covers are made with; nil where a part of it is missing.
final class Surfaces {
    static let interfaces = [
        "wl_compositor", "wl_subcompositor", "wl_shm", "wp_viewporter", "zwlr_layer_shell_v1",
    ]

    let compositor: OpaquePointer
    let subcompositor: OpaquePointer
    let memory: OpaquePointer
    let viewporter: OpaquePointer
    let shell: OpaquePointer

    init?(_ connection: WaylandConnection) {
        // Version 4 can say damage in pixels of the picture.
        guard let global = connection.global("wl_compositor"), global.version >= 4,
            let compositor = connection.bind(
                "wl_compositor",
                upTo: 4,
                { stw_bind_wl_compositor($0, $1, $2) }
            ),
            let parts = connection.bind(
                "wl_subcompositor",
                upTo: 1,
                { stw_bind_wl_subcompositor($0, $1, $2) }
            ),
            let memory = connection.bind("wl_shm", upTo: 1, { stw_bind_wl_shm($0, $1, $2) }),
            let viewporter = connection.bind(
                "wp_viewporter",
                upTo: 1,
                { stw_bind_wp_viewporter($0, $1, $2) }
            ),
            let shell = connection.bind(
                "zwlr_layer_shell_v1",
                upTo: 4,
                { stw_bind_zwlr_layer_shell_v1($0, $1, $2) }
            )
        else { return nil }
        self.compositor = compositor
        subcompositor = parts
        self.memory = memory
        self.viewporter = viewporter
        self.shell = shell
    }

    /// Lets all input through.
    func letThrough(_ surface: OpaquePointer) {
        let region = wl_compositor_create_region(compositor)
        wl_surface_set_input_region(surface, region)
        if let region { wl_region_destroy(region) }
    }
}

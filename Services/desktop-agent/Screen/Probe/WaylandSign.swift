/// What a Wayland compositor offers, or why nobody can say.
package struct WaylandSign: Sendable, Equatable {
    /// As WAYLAND_DISPLAY has it.
    package var display: String
    /// Why it cannot be reached; nil when it can.
    package var problem: String?
    /// The program behind the socket.
    package var compositor: String?
    package var compositorPid: Int32?
    /// Protocols by name, with their versions.
    package var protocols: [String: Int] = [:]
    /// Whether sway's own socket is there: it tells frames and processes.
    package var hasSway = false

    package static let windows = "zwlr_foreign_toplevel_manager_v1"
    package static let layers = "zwlr_layer_shell_v1"
    package static let idle = ["ext_idle_notifier_v1", "org_kde_kwin_idle"]

    package init(display: String, problem: String? = nil) {
        self.display = display
        self.problem = problem
    }

    package var isReachable: Bool { problem == nil }

    package var tellsWindows: Bool { protocols[Self.windows] != nil }
    package var takesLayers: Bool { protocols[Self.layers] != nil }
    package var tellsIdle: Bool { Self.idle.contains { protocols[$0] != nil } }
}

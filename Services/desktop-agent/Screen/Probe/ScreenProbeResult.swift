package import STPlatform

/// The facts about the screen that an environment provides.
package struct ScreenProbeResult: Sendable, Equatable {
    /// The value of XDG_SESSION_TYPE.
    package var sessionType: String?
    /// The value of XDG_CURRENT_DESKTOP.
    package var desktop: String?
    package var wayland: WaylandProbeResult?
    package var x11: X11ProbeResult?
    /// The Screen Time extension in GNOME Shell. `nil` if it is missing or disabled.
    package var gnome: GnomeFacts?

    package init(
        sessionType: String? = nil,
        desktop: String? = nil,
        wayland: WaylandProbeResult? = nil,
        x11: X11ProbeResult? = nil,
        gnome: GnomeFacts? = nil
    ) {
        self.sessionType = sessionType
        self.desktop = desktop
        self.wayland = wayland
        self.x11 = x11
        self.gnome = gnome
    }

    static let noAnswer = Message("agent.display-does-not-answer", "The display does not answer.")

    var isWayland: Bool { wayland?.isReachable == true || sessionType == "wayland" }

    /// The last component of XDG_CURRENT_DESKTOP: `ubuntu:GNOME` is GNOME.
    var desktopName: String? {
        guard let last = desktop?.split(separator: ":").last else { return nil }
        return last.isEmpty ? nil : String(last.prefix(40))
    }

    /// Probes the displays that an environment names. Takes seconds if a display hangs.
    package static func probe(_ environment: [String: String]) -> ScreenProbeResult {
        var signs = ScreenProbeResult(
            sessionType: normalized(environment["XDG_SESSION_TYPE"]),
            desktop: normalized(environment["XDG_CURRENT_DESKTOP"]),
            wayland: WaylandProbeResult(WaylandScreen.probe(environment: environment)),
            x11: X11ProbeResult(X11Screen.probe(environment: environment))
        )
        if signs.isGnome { signs.gnome = GnomeScreen.probe(environment: environment) }
        return signs
    }

    /// True for GNOME Shell on Wayland, which reports windows only through the Screen Time extension.
    package var isGnome: Bool {
        guard let wayland, wayland.isReachable else { return false }
        return wayland.compositor == "gnome-shell" || desktopName?.lowercased() == "gnome"
    }

    private static func normalized(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return String(DisplayWidth.sanitized(text).prefix(100))
    }
}

/// The facts about an X display, or the reason that it is not reachable.
package struct X11ProbeResult: Sendable, Equatable {
    /// The value of DISPLAY.
    package var display: String
    /// The reason that the display is not reachable. `nil` if it is.
    package var problem: Message?
    /// True if the display belongs to a Wayland compositor and shows only X11 programs.
    package var isXWayland = false
    package var windowManager: String?
    /// True if the window manager reports the foreground window.
    package var reportsFocus = false
    /// True if the server reports the process of a window.
    package var reportsProcesses = false
    package var reportsIdle = false
    package var serverPid: Int32?
    package var windowManagerPid: Int32?

    package init(display: String, problem: Message? = nil) {
        self.display = display
        self.problem = problem
    }

    package var isReachable: Bool { problem == nil }

    init?(_ facts: X11Facts) {
        guard let display = facts.display else { return nil }
        self.init(
            display: display,
            problem: facts.isReachable ? nil : facts.problem ?? ScreenProbeResult.noAnswer
        )
        isXWayland = facts.isXWayland
        windowManager = facts.windowManager
        reportsFocus = facts.maintainsHints
        reportsProcesses = facts.reportsProcesses
        serverPid = facts.serverPid
        windowManagerPid = facts.windowManagerPid
        reportsIdle = facts.reportsIdle || facts.hasIdleTime
    }
}

/// The facts about a Wayland compositor, or the reason that it is not reachable.
package struct WaylandProbeResult: Sendable, Equatable {
    /// The path of the display's socket.
    package var display: String
    /// The reason that the compositor is not reachable. `nil` if it is.
    package var problem: Message?
    /// The program that listens at the socket.
    package var compositor: String?
    package var compositorPid: Int32?
    /// Protocols by name, with their versions.
    package var protocols: [String: Int] = [:]
    /// True if sway's own socket exists. It reports frames and processes.
    package var hasSway = false

    package static let windows = "zwlr_foreign_toplevel_manager_v1"
    package static let layers = "zwlr_layer_shell_v1"
    package static let idle = ["ext_idle_notifier_v1", "org_kde_kwin_idle"]

    package init(display: String, problem: Message? = nil) {
        self.display = display
        self.problem = problem
    }

    package var isReachable: Bool { problem == nil }

    package var reportsWindows: Bool { protocols[Self.windows] != nil }
    package var supportsLayers: Bool { protocols[Self.layers] != nil }
    package var reportsIdle: Bool { Self.idle.contains { protocols[$0] != nil } }

    init?(_ facts: WaylandFacts) {
        guard let socket = facts.socket else { return nil }
        let isThere = facts.isReachable && facts.hasAnswered
        self.init(display: socket, problem: isThere ? nil : facts.problem ?? ScreenProbeResult.noAnswer)
        compositor = facts.compositorProgram
        compositorPid = facts.compositorPid
        for global in facts.globals { protocols[global.interface] = Int(global.version) }
        hasSway = facts.hasSwaySocket
    }
}

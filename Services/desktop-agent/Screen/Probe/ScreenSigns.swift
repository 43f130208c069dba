package import STPlatform

/// All that an environment tells of the screen in front of a person.
package struct ScreenSigns: Sendable, Equatable {
    /// XDG_SESSION_TYPE.
    package var sessionType: String?
    /// XDG_CURRENT_DESKTOP.
    package var desktop: String?
    package var wayland: WaylandSign?
    package var x11: X11Sign?
    /// Our extension in GNOME Shell; nil where there is none, or it is switched off.
    package var gnome: GnomeFacts?

    package init(
        sessionType: String? = nil,
        desktop: String? = nil,
        wayland: WaylandSign? = nil,
        x11: X11Sign? = nil,
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

    /// The first word of XDG_CURRENT_DESKTOP that is a name: `ubuntu:GNOME` is GNOME.
    var desktopName: String? {
        guard let last = desktop?.split(separator: ":").last else { return nil }
        return last.isEmpty ? nil : String(last.prefix(40))
    }

    /// Asks the displays that an environment names; takes seconds where one hangs.
    package static func gather(_ environment: [String: String]) -> ScreenSigns {
        var signs = ScreenSigns(
            sessionType: word(environment["XDG_SESSION_TYPE"]),
            desktop: word(environment["XDG_CURRENT_DESKTOP"]),
            wayland: WaylandSign(WaylandScreen.probe(environment: environment)),
            x11: X11Sign(X11Screen.probe(environment: environment))
        )
        if signs.isGnome { signs.gnome = GnomeScreen.probe(environment: environment) }
        return signs
    }

    /// GNOME Shell on Wayland, which tells of windows through our extension alone.
    package var isGnome: Bool {
        guard let wayland, wayland.isReachable else { return false }
        return wayland.compositor == "gnome-shell" || desktopName?.lowercased() == "gnome"
    }

    private static func word(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return String(DisplayWidth.harmless(text).prefix(100))
    }
}

/// What an X display says of itself, or why it says nothing.
package struct X11Sign: Sendable, Equatable {
    /// As DISPLAY has it.
    package var display: String
    /// Why it cannot be reached; nil when it can.
    package var problem: Message?
    /// It belongs to a Wayland compositor, and shows only what speaks no Wayland.
    package var isXWayland = false
    package var windowManager: String?
    /// Whether it tells which window is in front.
    package var tellsFocus = false
    /// Which process a window belongs to, as the server knows it.
    package var tellsProcesses = false
    package var tellsIdle = false
    package var serverPid: Int32?
    package var windowManagerPid: Int32?

    package init(display: String, problem: Message? = nil) {
        self.display = display
        self.problem = problem
    }

    package var isReachable: Bool { problem == nil }

    init?(_ facts: X11Facts) {
        guard let display = facts.display else { return nil }
        self.init(display: display, problem: facts.isReachable ? nil : facts.problem ?? ScreenSigns.noAnswer)
        isXWayland = facts.isXWayland
        windowManager = facts.windowManager
        tellsFocus = facts.keepsHints
        tellsProcesses = facts.tellsProcesses
        serverPid = facts.serverPid
        windowManagerPid = facts.windowManagerPid
        tellsIdle = facts.tellsIdle || facts.knowsIdle
    }
}

/// What a Wayland compositor offers, or why that is not known.
package struct WaylandSign: Sendable, Equatable {
    /// As WAYLAND_DISPLAY has it.
    package var display: String
    /// Why it cannot be reached; nil when it can.
    package var problem: Message?
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

    package init(display: String, problem: Message? = nil) {
        self.display = display
        self.problem = problem
    }

    package var isReachable: Bool { problem == nil }

    package var tellsWindows: Bool { protocols[Self.windows] != nil }
    package var takesLayers: Bool { protocols[Self.layers] != nil }
    package var tellsIdle: Bool { Self.idle.contains { protocols[$0] != nil } }

    init?(_ facts: WaylandFacts) {
        guard let socket = facts.socket else { return nil }
        let isThere = facts.isReachable && facts.hasAnswered
        self.init(display: socket, problem: isThere ? nil : facts.problem ?? ScreenSigns.noAnswer)
        compositor = facts.compositorProgram
        compositorPid = facts.compositorPid
        for global in facts.globals { protocols[global.interface] = Int(global.version) }
        hasSway = facts.hasSwaySocket
    }
}

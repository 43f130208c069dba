extension ScreenSigns {
    /// Asks the displays that an environment names; takes seconds where one hangs.
    package static func gather(_ environment: [String: String]) -> ScreenSigns {
        ScreenSigns(
            sessionType: word(environment["XDG_SESSION_TYPE"]),
            desktop: word(environment["XDG_CURRENT_DESKTOP"]),
            wayland: WaylandSign(WaylandScreen.probe(environment: environment)),
            x11: X11Sign(X11Screen.probe(environment: environment))
        )
    }

    private static func word(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return String(text.prefix(100))
    }
}

extension WaylandSign {
    init?(_ facts: WaylandFacts) {
        guard let socket = facts.socket else { return nil }
        let isThere = facts.isReachable && facts.hasAnswered
        self.init(display: socket, problem: isThere ? nil : facts.problem ?? "nobody answers")
        compositor = facts.compositorProgram
        compositorPid = facts.compositorPid
        for global in facts.globals { protocols[global.interface] = Int(global.version) }
        hasSway = facts.hasSwaySocket
    }
}

extension X11Sign {
    init?(_ facts: X11Facts) {
        guard let display = facts.display else { return nil }
        self.init(display: display, problem: facts.isReachable ? nil : facts.problem ?? "nobody answers")
        isXWayland = facts.isXWayland
        windowManager = facts.windowManager
        tellsFocus = facts.keepsHints
        tellsProcesses = facts.tellsProcesses
        serverPid = facts.serverPid
        windowManagerPid = facts.windowManagerPid
        tellsIdle = facts.tellsIdle || facts.knowsIdle
    }
}

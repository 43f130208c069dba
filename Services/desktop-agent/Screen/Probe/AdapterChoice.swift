package import STContracts
import STWire

/// Which adapter looks at this screen, and why; pure.
package struct AdapterChoice: Sendable, Equatable {
    package var kind: AdapterKind
    /// One sentence.
    package var reason: String
    /// Where nothing can be seen: what would help.
    package var wayOut: String?

    package var isBlind: Bool { kind == .none }

    package init(kind: AdapterKind, reason: String, wayOut: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.wayOut = wayOut
    }

    /// `setting` is `adapter` under `[desktop-agent]`.
    package static func make(_ signs: ScreenSigns, setting: String) -> AdapterChoice {
        switch setting {
        case "none":
            AdapterChoice(
                kind: .none,
                reason: "Looking at the screen is switched off: adapter = none under [desktop-agent].",
                wayOut: "Take that line out of the settings, or write adapter = auto."
            )
        case "x11": onX11(signs) ?? wrong("x11", signs)
        case "wlroots": onWayland(signs) ?? wrong("wlroots", signs)
        case "gnome": onGnome(signs) ?? wrong("gnome", signs)
        case "kwin": onKwin(signs) ?? wrong("kwin", signs)
        default: found(signs)
        }
    }

    private static func found(_ signs: ScreenSigns) -> AdapterChoice {
        let seeing = onWayland(signs) ?? onGnome(signs) ?? onKwin(signs)
        if let choice = seeing ?? blindWayland(signs) ?? onX11(signs) { return choice }
        if let x11 = signs.x11, x11.isReachable { return xwaylandAlone(x11) }
        return noDisplay(signs)
    }

    // MARK: - Where something can be seen

    private static func onWayland(_ signs: ScreenSigns) -> AdapterChoice? {
        guard let wayland = signs.wayland, wayland.isReachable, wayland.tellsWindows else { return nil }
        let who = wayland.compositor ?? "The compositor"
        return AdapterChoice(
            kind: .wlroots,
            reason: "\(who) at \(wayland.display) tells which window is in front (\(WaylandSign.windows))."
        )
    }

    private static func onGnome(_ signs: ScreenSigns) -> AdapterChoice? {
        guard let gnome = signs.gnome else { return nil }
        guard gnome.covers else {
            return AdapterChoice(
                kind: .gnome,
                reason:
                    "Our extension does not know GNOME Shell \(gnome.shell), so it tells which window is in front and "
                    + "covers nothing.",
                wayOut: "Update Screen Time, and run `screentime desktop enable gnome` again."
            )
        }
        return AdapterChoice(
            kind: .gnome,
            reason: "GNOME Shell \(gnome.shell) tells which window is in front, through our extension.",
            wayOut: gnome.version == Version.text
                ? nil
                : "The extension is of another version (\(gnome.version)). Run `screentime desktop enable gnome`, and log "
                    + "out and in again."
        )
    }

    private static func onKwin(_ signs: ScreenSigns) -> AdapterChoice? {
        guard let wayland = signs.wayland, wayland.isReachable, wayland.takesLayers,
            wayland.compositor?.hasPrefix("kwin_wayland") == true
        else { return nil }
        return AdapterChoice(
            kind: .kwin,
            reason:
                "KWin at \(wayland.display) tells which window is in front, through a script of ours that it runs."
        )
    }

    private static func onX11(_ signs: ScreenSigns) -> AdapterChoice? {
        guard let x11 = signs.x11, x11.isReachable, !x11.isXWayland else { return nil }
        let stale =
            signs.wayland.map { " WAYLAND_DISPLAY names \($0.display), which does not answer." } ?? ""
        guard x11.tellsFocus else {
            return AdapterChoice(
                kind: .x11,
                reason:
                    "The X server at \(x11.display) can be seen; no window manager says which window is in front, "
                    + "so the one with the keyboard counts.\(stale)"
            )
        }
        let manager = x11.windowManager.map { " (\($0))" } ?? ""
        return AdapterChoice(
            kind: .x11,
            reason:
                "The X server at \(x11.display) and its window manager\(manager) tell which window is in front."
                + stale
        )
    }

    // MARK: - Where nothing can

    private static func blindWayland(_ signs: ScreenSigns) -> AdapterChoice? {
        if let wayland = signs.wayland, wayland.isReachable {
            let who = signs.desktopName ?? wayland.compositor ?? "This compositor"
            return AdapterChoice(
                kind: .none,
                reason:
                    "\(who) on Wayland does not tell which window is in front (it offers no \(WaylandSign.windows)).",
                wayOut: wayOut(of: signs)
            )
        }
        guard signs.sessionType == "wayland", signs.x11?.isReachable != true || signs.x11?.isXWayland == true
        else { return nil }
        let why = signs.wayland.map {
            "\($0.display) cannot be reached: \($0.problem ?? "it does not answer")"
        }
        // A person who sees a DISPLAY there wonders why it is not enough.
        let display = signs.x11.flatMap { $0.isReachable ? " \(ofXWayland($0))" : nil } ?? ""
        return AdapterChoice(
            kind: .none,
            reason: "This is a Wayland session, but its compositor cannot be reached: "
                + "\(why ?? "WAYLAND_DISPLAY is not set").\(display)",
            wayOut: "Start Screen Time from within the session. \(importing)"
        )
    }

    private static func xwaylandAlone(_ x11: X11Sign) -> AdapterChoice {
        AdapterChoice(
            kind: .none,
            reason: ofXWayland(x11),
            wayOut: "Start Screen Time from within the session. \(importing)"
        )
    }

    private static func ofXWayland(_ x11: X11Sign) -> String {
        "DISPLAY \(x11.display) belongs to XWayland, which sees only programs without Wayland, "
            + "so Screen Time does not use it."
    }

    /// A user's systemd starts before the desktop and does not know these variables until they are imported.
    private static let importing =
        "Where systemd starts it, run in a terminal of the session: systemctl --user import-environment "
        + "DISPLAY XAUTHORITY WAYLAND_DISPLAY SWAYSOCK XDG_CURRENT_DESKTOP; "
        + "systemctl --user restart screentime-desktop-agent"

    private static func noDisplay(_ signs: ScreenSigns) -> AdapterChoice {
        let tried = [
            signs.wayland.map { "WAYLAND_DISPLAY \($0.display): \($0.problem ?? "it does not answer")" },
            signs.x11.map { "DISPLAY \($0.display): \($0.problem ?? "it does not answer")" },
        ].compactMap(\.self)
        return AdapterChoice(
            kind: .none,
            reason: tried.isEmpty
                ? "There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set."
                : "No display can be reached (\(tried.joined(separator: "; "))).",
            wayOut: "Log in to a desktop and start Screen Time there. \(importing)"
        )
    }

    private static func wrong(_ wanted: String, _ signs: ScreenSigns) -> AdapterChoice {
        let found = found(signs)
        let other =
            found.isBlind
            ? found.reason : "With adapter = auto it would be \(found.kind.rawValue): \(found.reason)"
        return AdapterChoice(
            kind: .none,
            reason: "The settings want adapter = \(wanted), which cannot see this session. \(other)",
            wayOut: found.isBlind ? found.wayOut : "Write adapter = auto under [desktop-agent]."
        )
    }

    private static func wayOut(of signs: ScreenSigns) -> String {
        let name = (signs.desktopName ?? signs.wayland?.compositor ?? "").lowercased()
        if signs.isGnome {
            return "Run `screentime desktop enable gnome`, and log out and in again."
        }
        if name.contains("kde") || name.contains("plasma") || name.contains("kwin") {
            return "At the next login choose “Plasma (X11)”; or use sway."
        }
        return "At the next login choose a session on Xorg, or a wlroots compositor such as sway."
    }
}

package import STContracts
package import STPlatform
import STWire

/// The adapter for this screen, and the reason. Determined without side effects.
package struct AdapterChoice: Sendable, Equatable {
    package var kind: AdapterKind
    /// The reason, as one sentence.
    package var reason: Message
    /// Advice, if the screen cannot be observed or only partially.
    package var remedy: Message?

    package var hasNoAdapter: Bool { kind == .none }

    package init(kind: AdapterKind, reason: Message, wayOut: Message? = nil) {
        self.kind = kind
        self.reason = reason
        self.remedy = wayOut
    }

    /// `setting` is `adapter` under `[desktop-agent]`.
    package static func make(_ signs: ScreenProbeResult, setting: String) -> AdapterChoice {
        switch setting {
        case "none":
            AdapterChoice(
                kind: .none,
                reason: Message(
                    "agent.observation-is-disabled",
                    "The setting adapter = none under [desktop-agent] disables the observation of the screen."
                ),
                wayOut: Message(
                    "agent.remove-adapter-none",
                    "Remove that line from the settings, or write adapter = auto."
                )
            )
        case "x11": onX11(signs) ?? unavailable("x11", signs)
        case "wlroots": onWayland(signs) ?? unavailable("wlroots", signs)
        case "gnome": onGnome(signs) ?? unavailable("gnome", signs)
        case "kwin": onKwin(signs) ?? unavailable("kwin", signs)
        default: detect(signs)
        }
    }

    private static func detect(_ signs: ScreenProbeResult) -> AdapterChoice {
        let seeing = onWayland(signs) ?? onGnome(signs) ?? onKwin(signs)
        if let choice = seeing ?? unsupportedWayland(signs) ?? onX11(signs) { return choice }
        if let x11 = signs.x11, x11.isReachable { return onlyXWayland(x11) }
        return noDisplay(signs)
    }

    // MARK: - Observable screens

    private static func onWayland(_ signs: ScreenProbeResult) -> AdapterChoice? {
        guard let wayland = signs.wayland, wayland.isReachable, wayland.reportsWindows else { return nil }
        let (display, windows) = (wayland.display, WaylandProbeResult.windows)
        return AdapterChoice(
            kind: .wlroots,
            reason: wayland.compositor.map {
                Message(
                    "agent.compositor-reports-window",
                    """
                    \($0, "compositor") at \(display, "display") reports the foreground window \
                    (\(windows, "protocol")).
                    """
                )
            }
                ?? Message(
                    "agent.unnamed-compositor-reports-window",
                    "The compositor at \(display, "display") reports the foreground window (\(windows, "protocol"))."
                )
        )
    }

    private static func onGnome(_ signs: ScreenProbeResult) -> AdapterChoice? {
        guard let gnome = signs.gnome else { return nil }
        guard gnome.covers else {
            return AdapterChoice(
                kind: .gnome,
                reason: Message(
                    "agent.extension-does-not-cover",
                    """
                    The Screen Time extension does not support GNOME Shell \(gnome.shell, "version"). It \
                    reports the foreground window, but covers nothing.
                    """
                ),
                wayOut: Message(
                    "agent.update-and-enable-extension",
                    "Update Screen Time, and run `screentime desktop enable gnome` again."
                )
            )
        }
        return AdapterChoice(
            kind: .gnome,
            reason: Message(
                "agent.extension-reports-window",
                "The Screen Time extension in GNOME Shell \(gnome.shell, "version") reports the foreground window."
            ),
            wayOut: gnome.version == Version.text
                ? nil
                : Message(
                    "agent.extension-of-other-version",
                    """
                    The extension belongs to another version of Screen Time (\(gnome.version, "version")). \
                    Run `screentime desktop enable gnome`, and log out and in again.
                    """
                )
        )
    }

    private static func onKwin(_ signs: ScreenProbeResult) -> AdapterChoice? {
        guard let wayland = signs.wayland, wayland.isReachable, wayland.supportsLayers,
            wayland.compositor?.hasPrefix("kwin_wayland") == true
        else { return nil }
        return AdapterChoice(
            kind: .kwin,
            reason: Message(
                "agent.kwin-reports-window",
                "KWin at \(wayland.display, "display") reports the foreground window through a Screen Time script."
            )
        )
    }

    private static func onX11(_ signs: ScreenProbeResult) -> AdapterChoice? {
        guard let x11 = signs.x11, x11.isReachable, !x11.isXWayland else { return nil }
        let reason = onX11(x11)
        return AdapterChoice(
            kind: .x11,
            reason: signs.wayland.map {
                Message(
                    "agent.wayland-display-is-stale",
                    "\(reason, "reason") WAYLAND_DISPLAY names \($0.display, "socket"), which does not answer."
                )
            } ?? reason
        )
    }

    private static func onX11(_ x11: X11ProbeResult) -> Message {
        guard x11.reportsFocus else {
            return Message(
                "agent.keyboard-counts-on-x11",
                """
                On the X server at \(x11.display, "display"), no window manager reports the foreground \
                window, so Screen Time uses the window with the keyboard focus.
                """
            )
        }
        return x11.windowManager.map {
            Message(
                "agent.manager-reports-window",
                """
                The X server at \(x11.display, "display") and its window manager (\($0, "manager")) report \
                the foreground window.
                """
            )
        }
            ?? Message(
                "agent.unnamed-manager-reports-window",
                "The X server at \(x11.display, "display") and its window manager report the foreground window."
            )
    }

    // MARK: - Unobservable screens

    private static func unsupportedWayland(_ signs: ScreenProbeResult) -> AdapterChoice? {
        if let wayland = signs.wayland, wayland.isReachable {
            let windows = WaylandProbeResult.windows
            let reason = (signs.desktopName ?? wayland.compositor).map {
                Message(
                    "agent.desktop-reports-no-window",
                    """
                    \($0, "desktop") on Wayland does not report the foreground window (it does not offer \
                    \(windows, "protocol")).
                    """
                )
            }
            return AdapterChoice(
                kind: .none,
                reason: reason
                    ?? Message(
                        "agent.compositor-reports-no-window",
                        """
                        This compositor on Wayland does not report the foreground window (it does not offer \
                        \(windows, "protocol")).
                        """
                    ),
                wayOut: remedy(of: signs)
            )
        }
        guard signs.sessionType == "wayland", signs.x11?.isReachable != true || signs.x11?.isXWayland == true
        else { return nil }
        let reason = unreachable(signs.wayland)
        // Explains DISPLAY too, because a person who sees it set would expect it to be sufficient.
        let x11 = signs.x11.flatMap { $0.isReachable ? $0 : nil }
        return AdapterChoice(
            kind: .none,
            reason: x11.map {
                Message(
                    "agent.session-with-xwayland",
                    """
                    \(reason, "reason") Screen Time does not use DISPLAY \($0.display, "display") either: it \
                    belongs to XWayland, which shows only X11 programs.
                    """
                )
            } ?? reason,
            wayOut: startInSessionHint
        )
    }

    private static func unreachable(_ wayland: WaylandProbeResult?) -> Message {
        guard let wayland, let problem = wayland.problem else {
            return Message(
                "agent.wayland-display-not-set",
                "This is a Wayland session, but WAYLAND_DISPLAY is not set."
            )
        }
        return Message(
            "agent.compositor-is-unreachable",
            """
            Screen Time cannot reach the compositor of this Wayland session at \
            \(wayland.display, "display"): \(problem, "problem")
            """
        )
    }

    private static func onlyXWayland(_ x11: X11ProbeResult) -> AdapterChoice {
        AdapterChoice(
            kind: .none,
            reason: Message(
                "agent.display-is-xwayland",
                """
                DISPLAY \(x11.display, "display") belongs to XWayland, which shows only X11 programs, so \
                Screen Time does not use it.
                """
            ),
            wayOut: startInSessionHint
        )
    }

    /// A user's systemd starts before the desktop and does not have these variables until they are imported.
    private static let importing =
        "systemctl --user import-environment "
        + "DISPLAY XAUTHORITY WAYLAND_DISPLAY SWAYSOCK XDG_CURRENT_DESKTOP; "
        + "systemctl --user restart screentime-desktop-agent"

    private static let startInSessionHint = Message(
        "agent.start-and-import-environment",
        """
        Start Screen Time from within the session. If systemd starts it, run in a terminal of the session: \
        \(importing, "command")
        """
    )

    private static func noDisplay(_ signs: ScreenProbeResult) -> AdapterChoice {
        AdapterChoice(
            kind: .none,
            reason: attemptsMessage(signs.wayland, signs.x11),
            wayOut: Message(
                "agent.log-in-to-desktop",
                """
                Log in to a desktop and start Screen Time there. If systemd starts it, run in a terminal of \
                the session: \(importing, "command")
                """
            )
        )
    }

    private static func attemptsMessage(_ wayland: WaylandProbeResult?, _ x11: X11ProbeResult?) -> Message {
        let why = wayland?.problem ?? ScreenProbeResult.noAnswer
        let problem = x11?.problem ?? ScreenProbeResult.noAnswer
        return switch (wayland?.display, x11?.display) {
        case (let socket?, let display?):
            Message(
                "agent.no-display-is-reachable",
                """
                Screen Time cannot reach a display. WAYLAND_DISPLAY \(socket, "socket"): \(why, "reason") \
                DISPLAY \(display, "display"): \(problem, "problem")
                """
            )
        case (let socket?, nil):
            Message(
                "agent.wayland-display-unreachable",
                "Screen Time cannot reach WAYLAND_DISPLAY \(socket, "socket"): \(why, "reason")"
            )
        case (nil, let display?):
            Message(
                "agent.x-display-unreachable",
                "Screen Time cannot reach DISPLAY \(display, "display"): \(problem, "problem")"
            )
        case (nil, nil):
            Message(
                "agent.no-display-is-set",
                "There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set."
            )
        }
    }

    private static func unavailable(_ wanted: String, _ signs: ScreenProbeResult) -> AdapterChoice {
        let found = detect(signs)
        guard !found.hasNoAdapter else {
            return AdapterChoice(
                kind: .none,
                reason: Message(
                    "agent.setting-sees-nothing",
                    """
                    With the setting adapter = \(wanted, "adapter"), Screen Time cannot observe this \
                    session. \(found.reason, "reason")
                    """
                ),
                wayOut: found.remedy
            )
        }
        return AdapterChoice(
            kind: .none,
            reason: Message(
                "agent.setting-is-wrong-adapter",
                """
                With the setting adapter = \(wanted, "adapter"), Screen Time cannot observe this session. \
                adapter = auto would choose \(found.kind.rawValue, "found"): \(found.reason, "reason")
                """
            ),
            wayOut: Message("agent.write-adapter-auto", "Write adapter = auto under [desktop-agent].")
        )
    }

    private static func remedy(of signs: ScreenProbeResult) -> Message {
        let name = (signs.desktopName ?? signs.wayland?.compositor ?? "").lowercased()
        if signs.isGnome {
            return Message(
                "agent.enable-gnome-extension",
                "Run `screentime desktop enable gnome`, and log out and in again."
            )
        }
        if name.contains("kde") || name.contains("plasma") || name.contains("kwin") {
            return Message(
                "agent.choose-plasma-on-x11",
                "Choose “Plasma (X11)” at the next login, or use sway."
            )
        }
        return Message(
            "agent.choose-xorg-or-wlroots",
            "At the next login, choose a session on Xorg, or a wlroots compositor such as sway."
        )
    }
}

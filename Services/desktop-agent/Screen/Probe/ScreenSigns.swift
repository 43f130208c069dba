/// All that an environment tells of the screen in front of a person.
package struct ScreenSigns: Sendable, Equatable {
    /// XDG_SESSION_TYPE.
    package var sessionType: String?
    /// XDG_CURRENT_DESKTOP.
    package var desktop: String?
    package var wayland: WaylandSign?
    package var x11: X11Sign?

    package init(
        sessionType: String? = nil,
        desktop: String? = nil,
        wayland: WaylandSign? = nil,
        x11: X11Sign? = nil
    ) {
        self.sessionType = sessionType
        self.desktop = desktop
        self.wayland = wayland
        self.x11 = x11
    }

    /// What people call this session: "GNOME on Wayland", "an X11 session".
    package var name: String {
        let kind = wayland?.isReachable == true || sessionType == "wayland" ? "Wayland" : "X11"
        let who = desktopName ?? wayland?.compositor
        if let who { return "\(who) on \(kind)" }
        return x11 == nil && wayland == nil ? "no desktop" : "\(kind == "X11" ? "an" : "a") \(kind) session"
    }

    /// The first word of XDG_CURRENT_DESKTOP that is a name: `ubuntu:GNOME` is GNOME.
    var desktopName: String? {
        guard let last = desktop?.split(separator: ":").last else { return nil }
        return last.isEmpty ? nil : String(last.prefix(40))
    }
}

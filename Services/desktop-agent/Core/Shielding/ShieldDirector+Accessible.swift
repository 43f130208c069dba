import STContracts
package import STDesktop

/// Covers for those who do not see them: what they say, and what can be pressed on them.
extension ShieldDirector {
    /// More than anybody could go through.
    private static let accessibleMax = 64

    /// Every cover that can be seen; the one in front of somebody first.
    package var accessible: [AccessiblePane] {
        guard !panes.isEmpty else { return [] }
        let focused = front.window.flatMap { paneOfWindow[$0] }
        let seen = panes.values.filter { $0.isMapped && !$0.isClosing }.sorted {
            ($0.id == focused ? 0 : 1, $0.id.rawValue) < ($1.id == focused ? 0 : 1, $1.id.rawValue)
        }
        return seen.prefix(Self.accessibleMax).compactMap { accessible($0) }
    }

    /// What the keyboard would press; nil before anybody has used it.
    package var accessibleFocus: AccessibleFocus? {
        guard let window = front.window, let pane = paneOfWindow[window].flatMap({ panes[$0] }),
            pane.isMapped, !pane.isClosing, let spot = apps[pane.app]?.focus
        else { return nil }
        return AccessibleFocus(pane: pane.id, spot: spot)
    }

    private func accessible(_ pane: ShieldPane) -> AccessiblePane? {
        guard let app = apps[pane.app] else { return nil }
        let frame = frame(of: pane)
        let look = look(of: app)?.look
        let title = look?.title?.text ?? ""
        let subtitle = [look?.subtitle?.text, app.note].compactMap(\.self).filter { !$0.isEmpty }
        let drawn = pane.painted.flatMap { gallery.spots($0) } ?? []
        let spots = ring(of: app).compactMap { id in
            words(on: id, look, app).map { name in
                AccessibleSpot(id: id, name: name, frame: place(drawn.last { $0.id == id }, pane, frame))
            }
        }
        return AccessiblePane(
            id: pane.id,
            title: title.isEmpty ? sayings.pane(name(of: app.id)) : title,
            subtitle: subtitle.joined(separator: " "),
            frame: frame,
            spots: spots
        )
    }

    private func words(on spot: String, _ look: ShieldLook?, _ app: ShieldedApp) -> String? {
        let text: String?
        switch ShieldButton(rawValue: spot) {
        case .primary: text = look?.primary?.text
        case .secondary: text = look?.secondary?.text
        case .firstSubmenu: text = look?.submenu.first
        case .secondSubmenu: text = look?.submenu.dropFirst().first
        case .thirdSubmenu: text = look?.submenu.dropFirst(2).first
        case .unknown, nil: text = spot == DrawnSpot.moreTime ? more(of: app)?.label : nil
        }
        return text?.isEmpty == false ? text : nil
    }

    /// Where frames are not told, a cover lies over the whole monitor.
    private func frame(of pane: ShieldPane) -> ScreenRect {
        let window = scene.windows[pane.window]?.window
        if let frame = window?.frame { return frame }
        let outputs = scene.outputs.filter { window?.outputs.contains($0.name) == true }
        return outputs.first?.frame ?? scene.outputs.first?.frame
            ?? ScreenRect(x: 0, y: 0, width: 0, height: 0)
    }

    /// Before it is painted a button is somewhere on its cover.
    private func place(_ spot: DrawnSpot?, _ pane: ShieldPane, _ frame: ScreenRect) -> ScreenRect {
        guard let spot else { return frame }
        let scale = settings.framesArePixels ? 1 : max(0.1, pane.size?.scale ?? 1)
        return spot.frame.onScreen(from: frame, scale: scale)
    }
}

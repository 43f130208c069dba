import STContracts
import STDesktop

/// Accessibility of covers: the text of each cover, and its controls.
struct ShieldAccessibility {
    /// Upper bound on the accessible covers, because a person cannot go through more.
    private static let panesMax = 64

    let apps: [String: ShieldedApp]
    let covers: ShieldCovers
    let pictures: ShieldPictureCache
    /// The foreground window, whose cover blocks it.
    let foregroundWindow: WindowID?
    let context: ShieldContext

    /// All visible covers, the foreground one first.
    var panes: [AccessiblePane] {
        covers.visiblePanes(first: foregroundWindow).prefix(Self.panesMax).compactMap { accessible($0) }
    }

    /// The control that the keyboard would press. `nil` until keys are used.
    var focus: AccessibleFocus? {
        guard let pane = foregroundWindow.flatMap({ covers[$0] }), pane.isVisible,
            let spot = apps[pane.app]?.controls.focus
        else { return nil }
        return AccessibleFocus(pane: pane.id, spot: spot)
    }

    private func accessible(_ pane: ShieldPane) -> AccessiblePane? {
        guard let app = apps[pane.app] else { return nil }
        let frame = frame(of: pane)
        let look = app.presentation.displayedAppearance(context.settings.language)?.appearance
        let title = look?.title?.text ?? ""
        let subtitle = [look?.subtitle?.text, app.controls.note].compactMap(\.self).filter { !$0.isEmpty }
        let drawn = pane.painted.flatMap { pictures.spots($0) } ?? []
        let spots = app.controls.focusOrder(context).compactMap { id in
            label(on: id, look, app).map { name in
                AccessibleSpot(
                    id: id,
                    name: name,
                    frame: place(drawn.last { $0.id == id }, pane: pane, frame: frame)
                )
            }
        }
        return AccessiblePane(
            id: pane.id,
            title: title.isEmpty ? context.strings.pane(app.title) : title,
            subtitle: subtitle.joined(separator: " "),
            frame: frame,
            spots: spots
        )
    }

    private func label(on spot: String, _ look: ShieldAppearance?, _ app: ShieldedApp) -> String? {
        let text: String?
        switch ShieldButton(rawValue: spot) {
        case .primary: text = look?.primary?.text
        case .secondary: text = look?.secondary?.text
        case .firstSubmenu, .secondSubmenu, .thirdSubmenu, .fourthSubmenu:
            text = zip(ShieldButton.menu, look?.submenu ?? []).first { $0.0.rawValue == spot }?.1
        case .unknown, nil:
            let more = app.controls.moreTimeButton(context)
            text = spot == more?.spot ?? DrawnSpot.moreTime ? more?.label : nil
        }
        return text?.isEmpty == false ? text : nil
    }

    /// Returns the frame of a cover. If the screen reports no frames, the cover fills the whole monitor.
    private func frame(of pane: ShieldPane) -> ScreenRect {
        let window = context.desktop.windows[pane.window]?.window
        if let frame = window?.frame { return frame }
        let all = context.desktop.outputs
        let own = all.first { window?.outputs.contains($0.name) == true }
        return (own ?? all.first)?.frame ?? ScreenRect(x: 0, y: 0, width: 0, height: 0)
    }

    /// Returns the frame of a button. Before the cover is painted, this is the frame of the whole cover.
    private func place(_ spot: DrawnSpot?, pane: ShieldPane, frame: ScreenRect) -> ScreenRect {
        guard let spot else { return frame }
        let scale = context.settings.framesArePixels ? 1 : max(0.1, pane.size?.scale ?? 1)
        return spot.frame.onScreen(from: frame, scale: scale)
    }
}

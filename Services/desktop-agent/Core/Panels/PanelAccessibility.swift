import STContracts
import STDesktop

/// Accessibility of panels: the text of each panel, and its controls.
struct PanelAccessibility {
    /// Margins of a panel in a corner, as the screens place it: the lower right on an X display, the upper right on a compositor.
    private static let marginBelow = 16.0
    private static let marginAbove = 12

    let shown: [PanelPane]
    let settings: PanelSettings
    /// The monitor that the person looks at.
    let output: DesktopOutput?

    /// All visible panels.
    var panes: [AccessiblePane] { shown.compactMap { accessible($0) } }

    /// The control that receives the keyboard.
    var focus: AccessibleFocus? {
        for pane in shown where pane.isOpen && pane.size != nil {
            if let spot = pane.targetContent?.drawing.focus {
                return AccessibleFocus(pane: pane.id, spot: spot)
            }
        }
        return nil
    }

    private func accessible(_ pane: PanelPane) -> AccessiblePane? {
        guard pane.isOpen, let size = pane.size, let content = pane.targetContent else { return nil }
        let drawing = content.drawing
        let frame = frame(of: content.place, size)
        // On a screen that measures in pixels, the picture has the same number of pixels as its pane.
        let scale = settings.framesArePixels ? 1 : max(0.1, size.scale)
        let texts =
            [drawing.text].compactMap(\.self) + (drawing.reasons ?? []) + [drawing.error].compactMap(\.self)
        return AccessiblePane(
            id: pane.id,
            title: content.name,
            subtitle: texts.filter { !$0.isEmpty }.joined(separator: " "),
            frame: frame,
            spots: Self.spots(drawing).map { id, name in
                let drawn = pane.spots.first { $0.id == id }
                return AccessibleSpot(
                    id: id,
                    name: name,
                    frame: drawn?.frame.onScreen(from: frame, scale: scale) ?? frame
                )
            }
        )
    }

    /// Returns the controls in their Tab order.
    private static func spots(_ drawing: DrawPanelRequest) -> [(id: String, name: String)] {
        var spots: [(id: String, name: String)] = []
        if let passcode = drawing.passcode {
            spots += passcode.provers.enumerated().map { (DrawnSpot.prover($0.offset), $0.element) }
            spots.append((DrawnSpot.passcode, passcode.prompt))
        }
        if let deny = drawing.deny { spots.append((DrawnSpot.deny, deny)) }
        if let allow = drawing.allow { spots.append((DrawnSpot.allow, allow)) }
        return spots
    }

    private func frame(of place: PaneRequest.Place, _ size: PaneSize) -> ScreenRect {
        let whole = output?.frame ?? ScreenRect(x: 0, y: 0, width: 0, height: 0)
        let scale = max(0.1, size.scale)
        let isInPixels = settings.framesArePixels
        let width = isInPixels ? size.width : Int((Double(size.width) / scale).rounded())
        let height = isInPixels ? size.height : Int((Double(size.height) / scale).rounded())
        switch place {
        case .corner:
            let margin = isInPixels ? Int(Self.marginBelow * scale) : Self.marginAbove
            return ScreenRect(
                x: whole.x + whole.width - width - margin,
                y: isInPixels ? whole.y + whole.height - height - margin : whole.y + margin,
                width: width,
                height: height
            )
        case .middle, .over:
            return ScreenRect(
                x: whole.x + (whole.width - width) / 2,
                y: whole.y + (whole.height - height) / 2,
                width: width,
                height: height
            )
        }
    }
}

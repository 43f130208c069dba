import STDesktop

extension PaneBoard {
    /// The pointer is at a place of a part, in the desktop's units.
    func pointed(_ part: SheetPart, x: Double, y: Double) {
        let pane = part.sheet.pane
        let spot = spot(part, x, y)
        guard spot != pane.hovered else { return }
        pane.hovered = spot
        heard?(pane.order.id, .hovered(spot))
    }

    func left(_ part: SheetPart) {
        let pane = part.sheet.pane
        pane.pressed = nil
        guard pane.hovered != nil else { return }
        pane.hovered = nil
        heard?(pane.order.id, .hovered(nil))
    }

    func button(_ part: SheetPart, isDown: Bool) {
        let pane = part.sheet.pane
        guard isDown else {
            if let spot = pane.pressed, spot == pane.hovered { heard?(pane.order.id, .pressed(spot)) }
            pane.pressed = nil
            return
        }
        pane.pressed = pane.hovered
        // As a window comes in front when it is pressed.
        if case .over(let window) = pane.order.place, !part.sheet.plan.takesKeys { raise?(window) }
    }

    func key(_ sheet: Sheet, _ key: PaneKey) {
        let pane = sheet.pane
        guard pane.order.takesKeys else { return }
        heard?(pane.order.id, .key(key))
    }

    private func spot(_ part: SheetPart, _ x: Double, _ y: Double) -> String? {
        let frame = part.sheet.frame
        guard let picture = part.sheet.pane.picture, let rect = part.rect, !frame.isEmpty else { return nil }
        let across = (x + Double(rect.x - frame.x)) / Double(frame.width) * Double(picture.width)
        let down = (y + Double(rect.y - frame.y)) / Double(frame.height) * Double(picture.height)
        let hit = picture.spots.last {
            Double($0.frame.x) <= across && across < Double($0.frame.x) + Double($0.frame.width)
                && Double($0.frame.y) <= down && down < Double($0.frame.y) + Double($0.frame.height)
        }
        return hit?.id
    }
}

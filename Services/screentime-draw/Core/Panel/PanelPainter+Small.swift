import STContracts

/// The panels that nobody presses: how much is left, and that it soon is over.
extension PanelPainter {
    /// One line: the icon, what it is called, and how much is left of it.
    func paintCountdown() {
        let unit = min(height / 48, width / 200)
        let margin = 12 * unit
        let side = min(height - 16 * unit, 30 * unit)
        let middle = height / 2
        icon(in: Box(margin, middle - side / 2, side, side))
        let time = block(clean(request.time, "time", limit: 40), 17 * unit, .bold)
        time.fit(width: width * 0.5, lines: 1)
        time.fit(width: time.lineWidth.rounded(.up) + 1, lines: 1)
        let right = width - margin - time.width
        draw(time, "time", x: right, y: middle - time.height / 2, inks.label)
        let left = margin + side + 9 * unit
        let space = right - left - 12 * unit
        // So little of a name says nothing: the icon and the time do.
        guard space > 24 * unit else { return }
        let name = block(clean(request.title, "title"), 14 * unit, .medium)
        name.fit(width: space, lines: 1)
        draw(name, "title", x: left, y: middle - name.height / 2, inks.secondary)
    }

    /// An icon and two texts, as large as they can be.
    func paintWarning() {
        let title = clean(request.title, "title", isOneLine: false)
        let text = clean(request.text, "text", isOneLine: false)
        for lines in [3, 2, 1] {
            for factor in stride(from: 1.0, through: 0.7, by: -0.06)
            where paintWarning(title, text, unit: scale * factor, lines: lines, isForced: false) { return }
        }
        _ = paintWarning(title, text, unit: scale * 0.7, lines: 1, isForced: true)
    }

    private func paintWarning(_ title: String, _ text: String, unit: Double, lines: Int, isForced: Bool)
        -> Bool
    {
        let margin = min(16 * unit, height * 0.12)
        let side = min(44 * unit, height - 2 * margin)
        let left = margin + side + 14 * unit
        let space = max(10, width - left - margin)
        let above = block(title, 16 * unit, .semibold)
        above.fit(width: space, lines: lines, isBalanced: false)
        let below = text.isEmpty ? nil : block(text, 13.5 * unit, .regular)
        below?.fit(width: space, lines: lines, isBalanced: false)
        let gap = below == nil ? 0 : 4 * unit
        let total = above.height + gap + (below?.height ?? 0)
        let isWhole = !above.isCut && below?.isCut != true
        guard isForced || total <= height - 2 * margin && (isWhole || lines == 1) else { return false }
        icon(in: Box(margin, (height - side) / 2, side, side))
        let top = max(0, (height - total) / 2)
        draw(above, "title", x: left, y: top, inks.label)
        if let below, isForced == false || top + total <= height {
            draw(below, "text", x: left, y: top + above.height + gap, inks.secondary)
        }
        return true
    }
}

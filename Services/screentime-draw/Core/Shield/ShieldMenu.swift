import STContracts

/// The open menu of the secondary button. It is below or above the button, and always within the window.
struct ShieldMenu {
    struct Entry {
        var box: Box
        var label: ShieldArrangement.PlacedText
    }

    let entries: [Entry]
    private let box: Box
    private let unit: Double
    private let scale: Double
    private let canvas: Canvas

    /// Returns nil if the menu is empty or there is no space for it.
    init?(_ content: ShieldContent, anchor: Box, unit: Double, scale: Double, _ canvas: Canvas) {
        self.unit = unit
        self.scale = scale
        self.canvas = canvas
        let edge = max(4 * scale, 8 * unit)
        let count = Double(content.menu.count)
        let room = canvas.bounds.height - 2 * edge
        let rowHeight = min(max(24 * scale, 46 * unit), room / max(1, count))
        guard count > 0, rowHeight >= 14 * scale else { return nil }
        let padding = max(8 * scale, 18 * unit)
        let style = TextBlock.Style(
            size: min(max(11.5 * scale, 17 * unit), rowHeight * 0.62),
            weight: .regular,
            spacing: 1
        )
        let widest = canvas.bounds.width - 2 * edge
        let labels = content.menu.map { text in
            let label = TextBlock(text, style, language: content.language, on: canvas)
            label.fit(width: min(widest, 340 * unit + 40 * scale) - 2 * padding, lines: 1)
            return label
        }
        let width = min(widest, max(220 * unit, (labels.map(\.lineWidth).max() ?? 0) + 2 * padding))
        let height = rowHeight * count
        let below = anchor.maxY + edge + height <= canvas.bounds.maxY - edge
        let y = below ? anchor.maxY + edge : max(edge, anchor.y - edge - height)
        let x = min(max(edge, anchor.midX - width / 2), canvas.bounds.maxX - edge - width)
        box = Box(x: x, y: y, width: width, height: height)
        let box = box
        entries = labels.enumerated().map { index, label in
            let row = Box(x: box.x, y: box.y + Double(index) * rowHeight, width: width, height: rowHeight)
            return Entry(
                box: row,
                label: .init(
                    block: label,
                    box: Box(
                        x: row.midX - label.width / 2,
                        y: row.midY - label.height / 2,
                        width: label.width,
                        height: label.height
                    )
                )
            )
        }
    }

    /// Paints the background and the separators. Returns the colour of the background.
    func paint(_ face: DrawAppearance) -> DrawColor {
        let surface = DrawColor(hex: face == .dark ? 0x2E2E33 : 0xFDFDFE)
        let radius = max(4 * scale, 13 * unit)
        canvas.shadow(box, radius: radius, reach: 18 * unit, strength: face == .dark ? 0.5 : 0.22)
        canvas.fill(box, radius: radius, surface)
        let line = max(1, 0.75 * scale)
        let ink = (face == .dark ? DrawColor.white : DrawColor.black).with(alpha: 0.12)
        for entry in entries.dropFirst() {
            canvas.fill(
                Box(x: box.x, y: entry.box.y - line / 2, width: box.width, height: line),
                radius: 0,
                ink
            )
        }
        return surface
    }
}

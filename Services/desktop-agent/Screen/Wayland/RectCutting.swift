import STDesktop

extension ScreenRect {
    var right: Int { x + width }
    var bottom: Int { y + height }

    func intersection(_ other: ScreenRect) -> ScreenRect? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let rect = ScreenRect(
            x: left,
            y: top,
            width: min(right, other.right) - left,
            height: min(bottom, other.bottom) - top
        )
        return rect.isEmpty ? nil : rect
    }

    func moved(x: Int, y: Int) -> ScreenRect {
        ScreenRect(x: self.x + x, y: self.y + y, width: width, height: height)
    }

    /// What is left of it without the other: at most four parts that do not overlap.
    func without(_ other: ScreenRect) -> [ScreenRect] {
        guard let hole = intersection(other) else { return [self] }
        let parts = [
            ScreenRect(x: x, y: y, width: width, height: hole.y - y),
            ScreenRect(x: x, y: hole.y, width: hole.x - x, height: hole.height),
            ScreenRect(x: hole.right, y: hole.y, width: right - hole.right, height: hole.height),
            ScreenRect(x: x, y: hole.bottom, width: width, height: bottom - hole.bottom),
        ]
        return parts.filter { !$0.isEmpty }
    }

    /// The parts of it that lie under none of the others; nil when they are more than `limit`.
    func without(_ others: [ScreenRect], limit: Int) -> [ScreenRect]? {
        var parts = [self]
        for other in others {
            parts = parts.flatMap { $0.without(other) }
            if parts.count > limit { return nil }
        }
        return parts
    }
}

import Glibc
import STContracts
import STPlatform

/// Limits the total painting of one page. Without a limit, a page of many layers would take minutes.
final class PaintBudget {
    /// Upper bound in pixels of a plain colour: about forty times all pixels of the largest picture.
    private static let pixelsMax = 1_500_000_000.0
    /// The minimum cost of any element, in pixels.
    private static let least = 500.0

    private let sheet: Box
    private let scale: Double
    private var remaining = PaintBudget.pixelsMax
    private let warnings: Warnings

    init(sheet: Box, scale: Double, _ warnings: Warnings) {
        self.sheet = sheet
        self.scale = scale
        self.warnings = warnings
    }

    /// Charges an element of this size, and returns true if the budget allows it. `weight` is its cost relative to a plain colour.
    func allows(_ box: Box, weight: Double = 1, isStraight: Bool) -> Bool {
        // With a transformation, the element may be anywhere on the sheet.
        let seen = isStraight ? PaintExtent.common(box, sheet) : sheet
        guard let seen else { return true }
        return allows(pixels: seen.width * seen.height * scale * scale * weight)
    }

    func allows(pixels: Double) -> Bool {
        remaining -= Self.least + pixels
        if remaining < 0 {
            warnings.add(
                Message(
                    "draw.page-too-complex",
                    "The page contains more than can be drawn. Some of it is left out."
                )
            )
        }
        return remaining >= 0
    }
}

/// The area that each node paints. Shadows and rotations may extend it beyond the node's box.
struct PaintExtent {
    private(set) var boxes: [Box]

    init(_ layout: PageLayout) {
        boxes = layout.boxes
        for index in layout.nodes.indices.reversed() {
            var reach = layout.boxes[index]
            for child in layout.outline.children[index] { reach = Self.union(reach, boxes[child]) }
            let node = layout.nodes[index]
            switch node.kind {
            // Glyphs may extend beyond their lines.
            case .text: reach = reach.expanded(layout.parts.texts[index].map { $0.lineHeight * 0.3 } ?? 0)
            case .shape:
                let width = LengthRange.length(node.shape?.lineWidth) ?? 1
                reach = node.shape?.kind == .path ? Self.union(reach, Self.everywhere) : reach.expanded(width)
            case .box: reach = Self.moved(reach, around: layout.boxes[index], node.box)
            default: break
            }
            boxes[index] = reach
        }
    }

    private static let everywhere = Box(x: -1e5, y: -1e5, width: 2e5, height: 2e5)

    private static func moved(_ reach: Box, around own: Box, _ box: PageBox?) -> Box {
        guard let box else { return reach }
        var reach = reach.expanded(max(0, LengthRange.length(box.shadow) ?? 0) * 2)
        reach = reach.moved(LengthRange.length(box.offsetX) ?? 0, LengthRange.length(box.offsetY) ?? 0)
        let scale = abs(box.scale ?? 1)
        guard box.rotation ?? 0 != 0 || scale != 1 else { return reach }
        // The square around a circle that contains it at any angle.
        let radius =
            hypot(
                max(abs(reach.x - own.midX), abs(reach.maxX - own.midX)),
                max(abs(reach.y - own.midY), abs(reach.maxY - own.midY))
            ) * scale
        return Box(x: own.midX - radius, y: own.midY - radius, width: 2 * radius, height: 2 * radius)
    }

    static func union(_ one: Box, _ other: Box) -> Box {
        let (x, y) = (min(one.x, other.x), min(one.y, other.y))
        return Box(x: x, y: y, width: max(one.maxX, other.maxX) - x, height: max(one.maxY, other.maxY) - y)
    }

    /// Returns the intersection of two boxes, or nil if they do not overlap.
    static func common(_ one: Box, _ other: Box) -> Box? {
        guard one.overlaps(other) else { return nil }
        let (x, y) = (max(one.x, other.x), max(one.y, other.y))
        return Box(x: x, y: y, width: min(one.maxX, other.maxX) - x, height: min(one.maxY, other.maxY) - y)
    }
}

import STCCairo
import STContracts
import STPlatform
import STRendering

/// The icon of a shield, ready to be drawn.
///
/// There is always one, because a faulty icon must not prevent the shield.
enum ShieldIconArt {
    case picture(Canvas, tint: DrawColor?)
    case symbol(SymbolName, tint: DrawColor?)
    /// The icon of Screen Time: an hourglass on a tile.
    case tile

    static func load(_ icon: ShieldIcon?, face: DrawAppearance, warnings: Warnings) -> ShieldIconArt {
        guard let icon else { return .tile }
        let tint = icon.tint.map {
            warnings.ink($0, face, of: PartName.icon, otherwise: SystemColors.label(face))
        }
        do throws(Problem) {
            switch icon.kind {
            case .data:
                return .picture(
                    try PictureFile.decoded(
                        base64: icon.data ?? "",
                        bytesMax: DrawLimits.iconBytes,
                        sideMax: DrawLimits.iconSideMax
                    ),
                    tint: tint
                )
            case .file:
                return .picture(
                    try PictureFile.read(
                        (face == .dark ? icon.darkName : nil) ?? icon.name ?? "",
                        bytesMax: DrawLimits.iconBytes,
                        sideMax: DrawLimits.iconSideMax
                    ),
                    tint: tint
                )
            case .system: return symbol(icon.name ?? "", tint: tint, warnings: warnings)
            case .unknown:
                warnings.add(
                    Message(
                        "draw.unknown-icon",
                        "This version does not support this kind of icon. An hourglass is shown instead."
                    )
                )
            }
        } catch {
            warnings.add(
                Message("draw.icon-not-shown", "The icon cannot be shown: \(error.text, "reason").")
            )
        }
        return .tile
    }

    private static func symbol(_ name: String, tint: DrawColor?, warnings: Warnings) -> ShieldIconArt {
        guard let known = SymbolName(name) else {
            warnings.add(
                Message(
                    "draw.no-such-symbol",
                    """
                    There is no symbol “\(name.prefix(60), "name")”. An hourglass is shown instead. Other \
                    symbols: lock, moon, book, leaf.
                    """
                )
            )
            return .tile
        }
        return known.base == "hourglass" && tint == nil ? .tile : .symbol(known, tint: tint)
    }

    /// Draws the icon. `scale` is the number of pixels per unit of length.
    func paint(in box: Box, scale: Double, _ face: DrawAppearance, label: DrawColor, on canvas: Canvas) {
        switch self {
        case .picture(let picture, nil): canvas.place(picture, in: box)
        case .picture(let picture, let tint?): Self.paint(picture, tint, in: box, on: canvas)
        case .symbol(let name, let tint):
            SymbolPainter.paint(name, in: box.expanded(-box.width * 0.04), tint ?? label, on: canvas)
        case .tile: Self.paintTile(in: box, scale, face, on: canvas)
        }
    }

    /// Draws only the shape of a picture in one colour, as for template images.
    private static func paint(_ picture: Canvas, _ tint: DrawColor, in box: Box, on canvas: Canvas) {
        canvas.withSavedState {
            cairo_push_group(canvas.pen)
            canvas.place(picture, in: box)
            cairo_set_operator(canvas.pen, CAIRO_OPERATOR_IN)
            canvas.fill(tint)
            cairo_pop_group_to_source(canvas.pen)
            cairo_paint(canvas.pen)
        }
    }

    private static func paintTile(in box: Box, _ scale: Double, _ face: DrawAppearance, on canvas: Canvas) {
        let radius = box.width * 0.225
        canvas.shadow(box, radius: radius, reach: box.width * 0.13, strength: face == .dark ? 0.40 : 0.20)
        let pattern = cairo_pattern_create_linear(box.x, box.y, box.x + box.width * 0.35, box.maxY)
        for (offset, ink) in [(0.0, DrawColor(hex: 0x7D86FF)), (1.0, DrawColor(hex: 0x4A3FD1))] {
            cairo_pattern_add_color_stop_rgb(pattern, offset, ink.red, ink.green, ink.blue)
        }
        canvas.outline(box, radius: radius)
        cairo_set_source(canvas.pen, pattern)
        cairo_fill(canvas.pen)
        cairo_pattern_destroy(pattern)
        let edge = max(1, scale)
        canvas.stroke(box.expanded(-edge / 2), radius: radius, width: edge, DrawColor.white.with(alpha: 0.18))
        if let name = SymbolName("hourglass") {
            SymbolPainter.paint(name, in: box.expanded(-box.width * 0.22), .white, on: canvas)
        }
    }
}

import STCCairo
import STContracts
import STPlatform

final class ShieldPainter {
    private let scene: ShieldDrawingRequest
    private let canvas: Canvas
    private let content: ShieldContent
    private let warnings = Warnings()
    private let legibility: Legibility
    private var buttons: [DrawnButton] = []
    private var spots: [DrawnSpot] = []
    private var texts: [DrawnShield.Text] = []

    init(_ scene: ShieldDrawingRequest) throws(Problem) {
        self.scene = scene
        canvas = try Canvas.makeCanvas(scene.canvas, width: scene.width, height: scene.height)
        content = ShieldContent(scene, warnings)
        legibility = Legibility(appearance: scene.appearance, warnings: warnings)
    }

    private var look: ShieldAppearance { scene.look }
    private var appearance: DrawAppearance { scene.appearance }

    func paint() throws(Problem) -> DrawnShield {
        try paintGround()
        let arrangement = ShieldArranger(canvas, content, scale: scene.scale).best()
        if let icon = arrangement.icon {
            let label = legibility.automatic(SystemColors.label, on: canvas.averageColor(in: icon))
            ShieldIconArt.load(look.icon, face: appearance, warnings: warnings).paint(
                in: icon,
                scale: scene.scale,
                appearance,
                label: label,
                on: canvas
            )
        }
        paint(
            arrangement.title,
            own: look.title,
            role: .title,
            part: PartName.title,
            automatic: SystemColors.label
        )
        paint(
            arrangement.subtitle,
            own: look.subtitle,
            role: .subtitle,
            part: PartName.subtitle,
            automatic: SystemColors.secondaryLabel
        )
        if let primary = arrangement.primary { paintPrimary(primary, arrangement.unit) }
        if let secondary = arrangement.secondary { paintSecondary(secondary, arrangement.unit) }
        paintMore(arrangement)
        if scene.isMenuOpen, let anchor = arrangement.secondary?.box { paintMenu(anchor, arrangement.unit) }
        warnAboutRoom(arrangement)
        return DrawnShield(
            canvas: canvas,
            buttons: buttons.reversed(),
            spots: spots,
            texts: texts,
            icon: arrangement.icon,
            warnings: warnings.messages
        )
    }

    // MARK: - Background

    private func paintGround() throws(Problem) {
        let colour = look.background.map {
            warnings.ink($0, appearance, of: PartName.background, otherwise: DrawColor.black.with(alpha: 0))
        }
        let name = look.blur ?? BlurStyle.fallbackName
        let blur = BlurStyle.named(name)
        if blur == nil {
            warnings.add(
                Message(
                    "draw.no-such-blur-style",
                    """
                    There is no blur style “\(name.prefix(60), "name")”. \
                    \(BlurStyle.fallbackName, "shown") is shown instead.
                    """
                )
            )
        }
        if let colour, colour.alpha == 1 {
            canvas.fill(colour)
            return
        }
        let style = blur ?? .fallback
        try Backdrop.paint(
            canvas,
            picture: scene.backdrop,
            blur: style,
            scale: scene.scale,
            appearance,
            over: [style.tint(appearance)] + (colour.map { [$0] } ?? [])
        )
    }

    // MARK: - Texts

    private func paint(
        _ placed: ShieldArrangement.PlacedText?,
        own: ShieldText?,
        role: DrawnShield.Text.Role,
        part: Message,
        automatic: (DrawAppearance) -> DrawColor
    ) {
        guard let placed else { return }
        let ground = canvas.averageColor(in: placed.box)
        let ink =
            own.map { legibility.ink($0, of: part, on: ground) }
            ?? legibility.automatic(automatic, on: ground)
        draw(placed, role: role, part: part, ink: ink, on: ground)
    }

    private func draw(
        _ placed: ShieldArrangement.PlacedText,
        role: DrawnShield.Text.Role,
        part: Message,
        ink: DrawColor,
        on ground: DrawColor
    ) {
        let block = placed.block
        let inked = block.draw(x: placed.box.x, y: placed.box.y, ink)
        texts.append(
            .init(
                role: role,
                box: placed.box,
                ink: inked,
                isCut: block.isCut,
                missingGlyphs: block.missingGlyphs,
                contrast: ink.contrast(on: ground)
            )
        )
        warnings.check(block, part)
    }

    // MARK: - Buttons

    private func paintPrimary(_ button: ShieldArrangement.PlacedButton, _ unit: Double) {
        let ground = canvas.averageColor(in: button.box)
        let automatic = legibility.automatic(SystemColors.button, on: ground)
        let colour = look.primaryBackground.map {
            warnings.ink($0, appearance, of: PartName.primaryBackground, otherwise: automatic)
        }
        let fill = colour ?? SystemColors.button(appearance)
        let radius = button.box.height * 0.3
        canvas.fill(button.box, radius: radius, fill)
        let surface = fill.blended(ground)
        if surface.contrast(on: ground) < 1.2 {
            // Without an edge it would not be recognisable as a button.
            let edge = legibility.automatic(SystemColors.label, on: ground).with(alpha: 0.25)
            let line = max(scene.scale, unit)
            canvas.stroke(button.box.expanded(-line / 2), radius: radius, width: line, edge)
        }
        let white =
            DrawColor.white.contrast(on: surface) >= 3
            ? .white : legibility.automatic(SystemColors.label, on: surface)
        let ink = look.primary.map { legibility.ink($0, of: PartName.primaryButton, on: surface) } ?? white
        draw(button.label, role: .primary, part: PartName.primaryButton, ink: ink, on: surface)
        add(.primary, box: button.box, radius: radius, unit: unit)
    }

    private func paintSecondary(_ button: ShieldArrangement.PlacedButton, _ unit: Double) {
        guard let own = look.secondary else { return }
        let ground = canvas.averageColor(in: button.box)
        let ink = legibility.ink(own, of: PartName.secondaryButton, on: ground)
        draw(button.label, role: .secondary, part: PartName.secondaryButton, ink: ink, on: ground)
        if !content.menu.isEmpty {
            let size = button.label.block.height * 0.78
            let right = button.label.box.midX + button.label.block.lineWidth / 2 + size * 0.3
            paintChevrons(in: Box(x: right, y: button.box.midY - size / 2, width: size, height: size), ink)
        }
        add(.secondary, box: button.box, radius: button.box.height * 0.3, unit: unit, bare: ground)
    }

    /// Draws one chevron up and one down, which indicate a menu.
    private func paintChevrons(in box: Box, _ ink: DrawColor) {
        let pen = canvas.pen
        canvas.withSavedState {
            canvas.setColor(ink)
            cairo_set_line_width(pen, box.width * 0.13)
            cairo_set_line_cap(pen, CAIRO_LINE_CAP_ROUND)
            cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND)
            for (base, tip) in [(0.38, 0.12), (0.62, 0.88)] {
                cairo_new_path(pen)
                cairo_move_to(pen, box.x + box.width * 0.24, box.y + box.height * base)
                cairo_line_to(pen, box.midX, box.y + box.height * tip)
                cairo_line_to(pen, box.x + box.width * 0.76, box.y + box.height * base)
                cairo_stroke(pen)
            }
        }
    }

    private func paintMenu(_ anchor: Box, _ unit: Double) {
        let menu = ShieldMenu(content, anchor: anchor, unit: unit, scale: scene.scale, canvas)
        guard let menu else {
            return warnings.add(
                Message("draw.no-room-for-menu", "The window is too small for the menu.")
            )
        }
        let surface = menu.paint(appearance)
        let ink = legibility.automatic(SystemColors.label, on: surface)
        for (button, entry) in zip(ShieldButton.menu, menu.entries) {
            draw(entry.label, role: .submenu, part: PartName.menuEntry, ink: ink, on: surface)
            add(button, box: entry.box, radius: entry.box.height * 0.25, unit: unit, isInside: true)
        }
    }

    private func add(
        _ button: ShieldButton,
        box: Box,
        radius: Double,
        unit: Double,
        isInside: Bool = false,
        bare ground: DrawColor? = nil
    ) {
        let width = max(2 * scene.scale, 3 * unit)
        if scene.focus == button, let ground {
            // The ring is inside the box, which has no edge. Outside, it would touch the primary button, which has another colour.
            paintRing(box.expanded(-width * 1.8), radius: radius, unit: unit, on: ground)
        } else if scene.focus == button {
            let beside =
                isInside
                ? box.expanded(-1) : Box(x: box.x, y: box.y - 4 * width, width: box.width, height: 2 * width)
            paintRing(
                box,
                radius: radius,
                unit: unit,
                on: canvas.averageColor(in: beside),
                isInside: isInside
            )
        }
        let frame = canvas.spot(button.rawValue, box)
        buttons.append(
            DrawnButton(button: button, x: frame.x, y: frame.y, width: frame.width, height: frame.height)
        )
    }

    private func paintRing(
        _ box: Box,
        radius: Double,
        unit: Double,
        on ground: DrawColor,
        isInside: Bool = false
    ) {
        let width = max(2 * scene.scale, 3 * unit)
        let away = isInside ? -width : width * 1.3
        canvas.stroke(
            box.expanded(away),
            radius: max(1, radius + away),
            width: width,
            legibility.automatic(SystemColors.accent, on: ground)
        )
    }

    // MARK: - More time

    private func paintMore(_ arrangement: ShieldArrangement) {
        if let more = arrangement.more {
            let ground = canvas.averageColor(in: more.box)
            draw(
                more.label,
                role: .more,
                part: PartName.more,
                ink: legibility.automatic(SystemColors.accent, on: ground),
                on: ground
            )
            spots.append(canvas.spot(scene.more?.spot ?? DrawnSpot.moreTime, more.box))
            if scene.more?.isFocused == true {
                let unit = arrangement.unit
                // The ring is inside the box, because the parts above and below are close.
                let inside = more.box.expanded(-max(2 * scene.scale, 3 * unit) * 1.8)
                paintRing(inside, radius: more.box.height * 0.25, unit: unit, on: ground)
            }
        }
        if let note = arrangement.note {
            let ground = canvas.averageColor(in: note.box)
            let ink = legibility.automatic(SystemColors.secondaryLabel, on: ground)
            draw(note, role: .note, part: PartName.note, ink: ink, on: ground)
        }
    }

    private func warnAboutRoom(_ arrangement: ShieldArrangement) {
        let isMissing =
            arrangement.primary == nil || arrangement.title == nil && !content.title.isEmpty
            || arrangement.subtitle == nil && !content.subtitle.isEmpty
            || arrangement.secondary == nil && content.secondary != nil
            || arrangement.more == nil && content.more != nil
            || arrangement.note == nil && content.note != nil
        if isMissing {
            warnings.add(
                Message(
                    "draw.window-too-small",
                    "The window is too small for the whole shield. Some parts are not shown."
                )
            )
        }
    }
}

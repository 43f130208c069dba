import STCCairo
import STContracts
import STPlatform

final class ShieldPainter {
    private let scene: ShieldScene
    private let canvas: Canvas
    private let content: ShieldContent
    private let warnings = Warnings()
    private let legibility: Legibility
    private var buttons: [DrawnButton] = []
    private var spots: [DrawnSpot] = []
    private var texts: [DrawnShield.Text] = []

    init(_ scene: ShieldScene) throws(Problem) {
        self.scene = scene
        canvas = try Canvas.given(scene.canvas, width: scene.width, height: scene.height)
        content = ShieldContent(scene, warnings)
        legibility = Legibility(face: scene.appearance, warnings: warnings)
    }

    private var look: ShieldLook { scene.look }
    private var face: DrawAppearance { scene.appearance }

    func paint() throws(Problem) -> DrawnShield {
        try paintGround()
        let arrangement = ShieldArranger(canvas, content, scale: scene.scale).best()
        if let icon = arrangement.icon {
            let label = legibility.automatic(SystemInk.label, on: canvas.ground(in: icon))
            ShieldIconArt.load(look.icon, face, warnings).paint(
                in: icon,
                scale: scene.scale,
                face,
                label: label,
                on: canvas
            )
        }
        paint(arrangement.title, look.title, .title, PartName.title, SystemInk.label)
        paint(arrangement.subtitle, look.subtitle, .subtitle, PartName.subtitle, SystemInk.secondaryLabel)
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
            warnings: warnings.all
        )
    }

    // MARK: - Background

    private func paintGround() throws(Problem) {
        let colour = look.background.map {
            warnings.ink($0, face, of: PartName.background, otherwise: Ink.black.with(alpha: 0))
        }
        let name = look.blur ?? BlurLook.fallbackName
        let blur = BlurLook.named(name)
        if blur == nil {
            warnings.add(
                Message(
                    "draw.no-such-blur-style",
                    """
                    There is no blur style “\(name.prefix(60), "name")”. \
                    \(BlurLook.fallbackName, "shown") is shown instead.
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
            face,
            over: [style.tint(face)] + (colour.map { [$0] } ?? [])
        )
    }

    // MARK: - Texts

    private func paint(
        _ placed: ShieldArrangement.PlacedText?,
        _ own: ShieldText?,
        _ role: DrawnShield.Text.Role,
        _ part: Message,
        _ automatic: (DrawAppearance) -> Ink
    ) {
        guard let placed else { return }
        let ground = canvas.ground(in: placed.box)
        let ink =
            own.map { legibility.ink($0, of: part, on: ground) }
            ?? legibility.automatic(automatic, on: ground)
        draw(placed, role, part, ink, on: ground)
    }

    private func draw(
        _ placed: ShieldArrangement.PlacedText,
        _ role: DrawnShield.Text.Role,
        _ part: Message,
        _ ink: Ink,
        on ground: Ink
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
        let ground = canvas.ground(in: button.box)
        let automatic = legibility.automatic(SystemInk.button, on: ground)
        let colour = look.primaryBackground.map {
            warnings.ink($0, face, of: PartName.primaryBackground, otherwise: automatic)
        }
        let fill = colour ?? SystemInk.button(face)
        let radius = button.box.height * 0.3
        canvas.fill(button.box, radius: radius, fill)
        let surface = fill.over(ground)
        if surface.contrast(on: ground) < 1.2 {
            // Without an edge it would not be recognisable as a button.
            let edge = legibility.automatic(SystemInk.label, on: ground).with(alpha: 0.25)
            let line = max(scene.scale, unit)
            canvas.stroke(button.box.grown(-line / 2), radius: radius, width: line, edge)
        }
        let white =
            Ink.white.contrast(on: surface) >= 3
            ? .white : legibility.automatic(SystemInk.label, on: surface)
        let ink = look.primary.map { legibility.ink($0, of: PartName.primaryButton, on: surface) } ?? white
        draw(button.label, .primary, PartName.primaryButton, ink, on: surface)
        add(.primary, button.box, radius, unit)
    }

    private func paintSecondary(_ button: ShieldArrangement.PlacedButton, _ unit: Double) {
        guard let own = look.secondary else { return }
        let ground = canvas.ground(in: button.box)
        let ink = legibility.ink(own, of: PartName.secondaryButton, on: ground)
        draw(button.label, .secondary, PartName.secondaryButton, ink, on: ground)
        if !content.menu.isEmpty {
            let size = button.label.block.height * 0.78
            let right = button.label.box.midX + button.label.block.lineWidth / 2 + size * 0.3
            paintChevrons(in: Box(right, button.box.midY - size / 2, size, size), ink)
        }
        add(.secondary, button.box, button.box.height * 0.3, unit, bare: ground)
    }

    /// Draws one chevron up and one down, which indicate a menu.
    private func paintChevrons(in box: Box, _ ink: Ink) {
        let pen = canvas.pen
        canvas.aside {
            canvas.use(ink)
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
        let surface = menu.paint(face)
        let ink = legibility.automatic(SystemInk.label, on: surface)
        for (button, entry) in zip(ShieldButton.menu, menu.entries) {
            draw(entry.label, .submenu, PartName.menuEntry, ink, on: surface)
            add(button, entry.box, entry.box.height * 0.25, unit, isInside: true)
        }
    }

    private func add(
        _ button: ShieldButton,
        _ box: Box,
        _ radius: Double,
        _ unit: Double,
        isInside: Bool = false,
        bare ground: Ink? = nil
    ) {
        let width = max(2 * scene.scale, 3 * unit)
        if scene.focus == button, let ground {
            // The ring is inside the box, which has no edge. Outside, it would touch the primary button, which has another colour.
            paintRing(box.grown(-width * 1.8), radius, unit, on: ground)
        } else if scene.focus == button {
            let beside = isInside ? box.grown(-1) : Box(box.x, box.y - 4 * width, box.width, 2 * width)
            paintRing(box, radius, unit, on: canvas.ground(in: beside), isInside: isInside)
        }
        let frame = canvas.spot(button.rawValue, box)
        buttons.append(
            DrawnButton(button: button, x: frame.x, y: frame.y, width: frame.width, height: frame.height)
        )
    }

    private func paintRing(
        _ box: Box,
        _ radius: Double,
        _ unit: Double,
        on ground: Ink,
        isInside: Bool = false
    ) {
        let width = max(2 * scene.scale, 3 * unit)
        let away = isInside ? -width : width * 1.3
        canvas.stroke(
            box.grown(away),
            radius: max(1, radius + away),
            width: width,
            legibility.automatic(SystemInk.accent, on: ground)
        )
    }

    // MARK: - More time

    private func paintMore(_ arrangement: ShieldArrangement) {
        if let more = arrangement.more {
            let ground = canvas.ground(in: more.box)
            draw(
                more.label,
                .more,
                PartName.more,
                legibility.automatic(SystemInk.accent, on: ground),
                on: ground
            )
            spots.append(canvas.spot(scene.more?.spot ?? DrawnSpot.moreTime, more.box))
            if scene.more?.isFocused == true {
                let unit = arrangement.unit
                // The ring is inside the box, because the parts above and below are close.
                let inside = more.box.grown(-max(2 * scene.scale, 3 * unit) * 1.8)
                paintRing(inside, more.box.height * 0.25, unit, on: ground)
            }
        }
        if let note = arrangement.note {
            let ground = canvas.ground(in: note.box)
            let ink = legibility.automatic(SystemInk.secondaryLabel, on: ground)
            draw(note, .note, PartName.note, ink, on: ground)
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

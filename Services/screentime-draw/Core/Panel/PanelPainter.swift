import Glibc
import STCCairo
import STContracts
import STPlatform

/// Draws one panel: a countdown, a question or a warning.
final class PanelPainter {
    let request: DrawPanelRequest
    private let canvas: Canvas
    private let scale: Double
    private let colors: PanelColors
    let warnings = Warnings()
    private var spots: [DrawnSpot] = []
    private var texts: [DrawnPanelText] = []

    init(_ scene: PanelDrawingRequest) throws(Problem) {
        request = scene.request
        scale = scene.scale
        canvas = try Canvas.makeCanvas(scene.canvas, width: request.width, height: request.height)
        colors = PanelColors(
            scene.appearance,
            isUrgent: request.isUrgent == true && request.kind == .countdown
        )
    }

    var width: Double { canvas.bounds.width }
    var height: Double { canvas.bounds.height }
    /// True if the language is written from right to left.
    private(set) lazy var isMirrored: Bool = {
        let code = (request.language ?? "").prefix { $0.isLetter }.lowercased()
        return ["ar", "he", "fa", "ur", "ckb", "dv", "ps", "sd", "yi"].contains(code)
    }()

    func paint() -> DrawnPanel {
        paintGround()
        switch request.kind {
        case .countdown: paintCountdown()
        case .question: paintQuestion()
        case .warning, .unknown: paintWarning()
        }
        return DrawnPanel(canvas: canvas, spots: spots.reversed(), texts: texts, warnings: warnings.messages)
    }

    private func paintGround() {
        let line = max(1, scale.rounded(.down))
        let isRounded = request.isRounded == true
        let radius = isRounded ? min(14 * scale, height * 0.3) : 0
        if isRounded {
            canvas.fill(canvas.bounds, radius: radius, colors.surface)
        } else {
            canvas.fill(colors.surface)
        }
        canvas.stroke(canvas.bounds.expanded(-line / 2), radius: radius, width: line, colors.edge)
    }

    // MARK: - Texts

    /// Returns a text of the request with unsafe characters removed and within the limit.
    func clean(
        _ text: String?,
        _ role: String,
        limit: Int = DrawLimits.panelTextLength,
        isOneLine: Bool = true
    )
        -> String
    {
        warnings.cleaned(text, PartName.panelText(role), limit: limit, isOneLine: isOneLine)
    }

    func block(_ text: String, size: Double, weight: TextBlock.Weight, isCentred: Bool = false)
        -> TextBlock
    {
        TextBlock(
            text,
            .init(size: size, weight: weight, spacing: 1.15, isCentred: isCentred),
            language: request.language,
            on: canvas
        )
    }

    /// Draws a text. `x` is its left edge in a left-to-right layout, and is mirrored for right-to-left languages.
    private func draw(
        _ block: TextBlock,
        role: String,
        x: Double,
        y: Double,
        ink: DrawColor,
        on ground: DrawColor? = nil
    ) {
        let place = mirrored(Box(x: x, y: y, width: block.width, height: block.height))
        var left = place.x
        // Latin text in a right-to-left panel is aligned to the right, too.
        if isMirrored, !block.isCentred { left += max(0, block.width - block.lineEnd) }
        let inked = block.draw(x: left, y: y, ink)
        texts.append(
            DrawnPanelText(
                role: role,
                box: place,
                ink: inked,
                isCut: block.isCut,
                missingGlyphs: block.missingGlyphs,
                contrast: ink.contrast(on: ground ?? colors.surface)
            )
        )
        warnings.check(block, PartName.panelText(role))
    }

    private func mirrored(_ box: Box) -> Box {
        isMirrored ? Box(x: width - box.maxX, y: box.y, width: box.width, height: box.height) : box
    }

    // MARK: - Controls

    /// Draws a button with its label in the middle.
    private func paintButton(id: String, label: TextBlock, in place: Box, fill: DrawColor, words: DrawColor) {
        let box = mirrored(place)
        let radius = min(box.height * 0.3, 10 * scale)
        let isBusy = request.isBusy == true
        canvas.fill(box, radius: radius, isBusy ? fill.with(alpha: 0.55) : fill)
        let ground = isBusy ? fill.with(alpha: 0.55).blended(colors.surface) : fill
        let ink =
            words.contrast(on: ground) >= 4.5
            ? words
            : (DrawColor.black.contrast(on: ground) > DrawColor.white.contrast(on: ground) ? .black : .white)
        let x = place.midX - label.width / 2
        draw(label, role: id, x: x, y: place.midY - label.height / 2, ink: ink, on: ground)
        press(id, box, radius: radius)
    }

    /// Marks the focused control, and records the control unless the panel is busy.
    private func press(_ id: String, _ box: Box, radius: Double) {
        guard request.isBusy != true else { return }
        if request.focus == id {
            let line = max(2 * scale, 2)
            canvas.stroke(box.expanded(line * 1.1), radius: radius + line * 1.1, width: line, colors.accent)
        }
        spots.append(canvas.spot(id, box))
    }

    private func icon(in place: Box) {
        let box = mirrored(place)
        ShieldIconArt.load(request.icon, face: request.appearance, warnings: warnings).paint(
            in: box,
            scale: scale,
            request.appearance,
            label: colors.label,
            on: canvas
        )
    }

    // MARK: - Questions

    private func paintQuestion() {
        let words = QuestionText(self)
        var layout = best(words)
        if layout.total > height {
            warnings.add(
                Message("draw.panel-too-small", "The panel is too small for the whole question.")
            )
        } else {
            layout.moveButtons(by: height - layout.total)
        }
        icon(in: layout.icon)
        draw(layout.title, role: "title", ink: colors.label)
        if let text = layout.text { draw(text, role: "text", ink: colors.secondary) }
        paintReasons(layout)
        if let passcode = words.passcode { paintPasscode(passcode, layout) }
        if let error = layout.error { draw(error, role: "error", ink: colors.error) }
        paintButton(
            id: DrawnSpot.deny,
            label: layout.deny.block,
            in: layout.deny.box,
            fill: colors.quietButton,
            words: colors.label
        )
        paintButton(
            id: DrawnSpot.allow,
            label: layout.allow.block,
            in: layout.allow.box,
            fill: colors.button,
            words: .white
        )
    }

    /// Returns the largest layout that shows every text in full. If there is none, returns the one that shows the most.
    private func best(_ words: QuestionText) -> QuestionLayout {
        for factor in stride(from: 1.0, through: 0.6, by: -0.05) {
            let layout = QuestionLayout(words, self, unit: scale * factor, lines: 4)
            if layout.total <= height, layout.isWhole { return layout }
        }
        for lines in [3, 2, 1] {
            for factor in stride(from: 0.75, through: 0.55, by: -0.05) {
                let layout = QuestionLayout(words, self, unit: scale * factor, lines: lines)
                if layout.total <= height { return layout }
            }
        }
        // The buttons must be visible, even without the texts.
        var factor = 0.5
        var layout = QuestionLayout(words, self, unit: scale * factor, lines: 1)
        while layout.total > height, factor > 0.1 {
            factor *= 0.85
            layout = QuestionLayout(words, self, unit: scale * factor, lines: 1)
        }
        return layout
    }

    private func draw(_ line: QuestionLayout.Line, role: String, ink: DrawColor, on ground: DrawColor? = nil)
    {
        draw(line.block, role: role, x: line.x, y: line.y, ink: ink, on: ground)
    }

    private func paintReasons(_ layout: QuestionLayout) {
        guard let list = layout.list else { return }
        canvas.fill(mirrored(list), radius: 10 * layout.unit, colors.inset)
        let dot = 4.5 * layout.unit
        for line in layout.reasons {
            let first = line.block.height / Double(max(1, line.block.lineCount))
            let box = Box(
                x: line.x - 12 * layout.unit,
                y: line.y + first / 2 - dot / 2,
                width: dot,
                height: dot
            )
            canvas.fill(mirrored(box), radius: dot / 2, colors.secondary)
            draw(line, role: "reason", ink: colors.label, on: colors.inset)
        }
    }

    private func paintPasscode(_ passcode: DrawPasscode, _ layout: QuestionLayout) {
        if let prompt = layout.prompt { draw(prompt, role: "prompt", ink: colors.label) }
        for chip in layout.chips {
            let isChosen = chip.index == passcode.chosen
            let fill = isChosen ? colors.button : colors.quietButton
            let id = DrawnSpot.prover(chip.index)
            paintButton(
                id: id,
                label: chip.block,
                in: chip.box,
                fill: fill,
                words: isChosen ? .white : colors.label
            )
        }
        guard let field = layout.field else { return }
        let box = mirrored(field)
        let radius = 9 * layout.unit
        canvas.fill(box, radius: radius, colors.inset)
        let line = max(1, scale)
        let edge = colors.label.with(alpha: 0.45)
        canvas.stroke(box.expanded(-line / 2), radius: radius, width: line, edge)
        paintDots(passcode.dots, in: box, layout.unit)
        press(DrawnSpot.passcode, box, radius: radius)
    }

    /// Draws the dots of the passcode, centred. Many dots are closer together.
    private func paintDots(_ count: Int, in box: Box, _ unit: Double) {
        let size = 9 * unit
        let room = box.width - 24 * unit
        let step = count > 1 ? min(18 * unit, (room - size) / Double(count - 1)) : 0
        let start = box.midX - step * Double(max(0, count - 1)) / 2
        for index in 0..<count {
            let x = start + step * Double(index)
            cairo_new_path(canvas.pen)
            cairo_arc(canvas.pen, x, box.midY, size / 2, 0, 2 * .pi)
            canvas.setColor(colors.label)
            cairo_fill(canvas.pen)
        }
        // The caret is in the place of the first dot.
        guard request.focus == DrawnSpot.passcode, count == 0 else { return }
        let caret = Box(
            x: box.midX - scale / 2,
            y: box.y + box.height * 0.27,
            width: max(1.5, 1.5 * scale),
            height: box.height * 0.46
        )
        canvas.fill(caret, radius: 0, colors.accent)
    }

    // MARK: - Countdowns and warnings

    /// Draws one line: the icon, the name, and the remaining time.
    private func paintCountdown() {
        let unit = min(height / 48, width / 200)
        let margin = 12 * unit
        let side = min(height - 16 * unit, 30 * unit)
        let middle = height / 2
        icon(in: Box(x: margin, y: middle - side / 2, width: side, height: side))
        let time = block(clean(request.time, "time", limit: 40), size: 17 * unit, weight: .bold)
        time.fit(width: width * 0.5, lines: 1)
        time.fit(width: time.lineWidth.rounded(.up) + 1, lines: 1)
        let right = width - margin - time.width
        draw(time, role: "time", x: right, y: middle - time.height / 2, ink: colors.label)
        let left = margin + side + 9 * unit
        let space = right - left - 12 * unit
        // A name cut to this length is of no use, so only the icon and the time are shown.
        guard space > 24 * unit else { return }
        let name = block(clean(request.title, "title"), size: 14 * unit, weight: .medium)
        name.fit(width: space, lines: 1)
        draw(name, role: "title", x: left, y: middle - name.height / 2, ink: colors.secondary)
    }

    /// Draws an icon and two texts as large as possible.
    private func paintWarning() {
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
        let above = block(title, size: 16 * unit, weight: .semibold)
        above.fit(width: space, lines: lines, isBalanced: false)
        let below = text.isEmpty ? nil : block(text, size: 13.5 * unit, weight: .regular)
        below?.fit(width: space, lines: lines, isBalanced: false)
        let gap = below == nil ? 0 : 4 * unit
        let total = above.height + gap + (below?.height ?? 0)
        let isWhole = !above.isCut && below?.isCut != true
        guard isForced || total <= height - 2 * margin && (isWhole || lines == 1) else { return false }
        icon(in: Box(x: margin, y: (height - side) / 2, width: side, height: side))
        let top = max(0, (height - total) / 2)
        draw(above, role: "title", x: left, y: top, ink: colors.label)
        if let below, isForced == false || top + total <= height {
            draw(below, role: "text", x: left, y: top + above.height + gap, ink: colors.secondary)
        }
        return true
    }
}

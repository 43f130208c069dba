import STContracts
import STPlatform

/// Draws one panel: the ground, and what every kind needs; the kinds are extensions.
final class PanelPainter {
    let request: DrawPanelRequest
    let canvas: Canvas
    let scale: Double
    let inks: PanelInks
    let warnings = Warnings()
    private var spots: [DrawnSpot] = []
    private var texts: [DrawnPanelText] = []

    init(_ scene: PanelScene) throws(Problem) {
        request = scene.request
        scale = scene.scale
        canvas = try Canvas.given(scene.canvas, width: request.width, height: request.height)
        inks = PanelInks(scene.face, isUrgent: request.isUrgent == true && request.kind == .countdown)
    }

    var width: Double { canvas.bounds.width }
    var height: Double { canvas.bounds.height }
    /// Whether people read from right to left here.
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
        return DrawnPanel(canvas: canvas, spots: spots.reversed(), texts: texts, warnings: warnings.all)
    }

    private func paintGround() {
        let line = max(1, scale.rounded(.down))
        let isRounded = request.isRounded == true
        let radius = isRounded ? min(14 * scale, height * 0.3) : 0
        if isRounded {
            canvas.fill(canvas.bounds, radius: radius, inks.surface)
        } else {
            canvas.fill(inks.surface)
        }
        canvas.stroke(canvas.bounds.grown(-line / 2), radius: radius, width: line, inks.edge)
    }

    // MARK: - Words

    /// What came from outside, fit to be drawn.
    func clean(
        _ text: String?,
        _ what: String,
        limit: Int = DrawLimits.panelTextLength,
        isOneLine: Bool = true
    )
        -> String
    {
        let (cleaned, isCut) = TextCleaning.cleaned(text ?? "", limit: limit, isOneLine: isOneLine)
        if isCut { warnings.add("The \(what) is longer than \(limit) characters; its end is not shown.") }
        return cleaned
    }

    func block(_ text: String, _ size: Double, _ weight: TextBlock.Weight, isCentred: Bool = false)
        -> TextBlock
    {
        TextBlock(
            text,
            .init(size: size, weight: weight, spacing: 1.15, isCentred: isCentred),
            language: request.language,
            on: canvas
        )
    }

    /// `x` is where it begins for people who read from the left.
    func draw(_ block: TextBlock, _ role: String, x: Double, y: Double, _ ink: Ink, on ground: Ink? = nil) {
        let place = mirrored(Box(x, y, block.width, block.height))
        var left = place.x
        // Latin words in a panel that is read from the right stand at its right, too.
        if isMirrored, !block.isCentred { left += max(0, block.width - block.lineEnd) }
        let inked = block.draw(x: left, y: y, ink)
        texts.append(
            DrawnPanelText(
                role: role,
                box: place,
                ink: inked,
                isCut: block.isCut,
                missingGlyphs: block.missingGlyphs,
                contrast: ink.contrast(on: ground ?? inks.surface)
            )
        )
        if block.isCut { warnings.add("The \(role) does not fit; its end is not shown.") }
        if block.missingGlyphs > 0 {
            warnings.add(
                "No font here has \(block.missingGlyphs) of the characters of the \(role); "
                    + "install one, such as fonts-noto."
            )
        }
    }

    func mirrored(_ box: Box) -> Box {
        isMirrored ? Box(width - box.maxX, box.y, box.width, box.height) : box
    }

    // MARK: - What can be pressed

    /// A ground that can be pressed, with its words in the middle.
    func paintButton(_ id: String, _ label: TextBlock, in place: Box, _ fill: Ink, _ words: Ink) {
        let box = mirrored(place)
        let radius = min(box.height * 0.3, 10 * scale)
        let isBusy = request.isBusy == true
        canvas.fill(box, radius: radius, isBusy ? fill.with(alpha: 0.55) : fill)
        let ground = isBusy ? fill.with(alpha: 0.55).over(inks.surface) : fill
        let ink =
            words.contrast(on: ground) >= 4.5
            ? words : (Ink.black.contrast(on: ground) > Ink.white.contrast(on: ground) ? .black : .white)
        let x = place.midX - label.width / 2
        draw(label, id, x: x, y: place.midY - label.height / 2, ink, on: ground)
        press(id, box, radius: radius)
    }

    /// Marks it where the keyboard is, and takes it down as a spot unless nothing can be pressed now.
    func press(_ id: String, _ box: Box, radius: Double) {
        guard request.isBusy != true else { return }
        if request.focus == id {
            let line = max(2 * scale, 2)
            canvas.stroke(box.grown(line * 1.1), radius: radius + line * 1.1, width: line, inks.accent)
        }
        spots.append(canvas.spot(id, box))
    }

    func icon(in place: Box) {
        let box = mirrored(place)
        ShieldIconArt.load(request.icon, request.appearance, warnings).paint(
            in: box,
            scale: scale,
            request.appearance,
            label: inks.label,
            on: canvas
        )
    }
}

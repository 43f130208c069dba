import STContracts
import STPlatform

/// The layout of a question for one font size.
///
/// From top to bottom it contains the app, the reasons, the passcode and the error. The two buttons are at the bottom.
struct QuestionLayout {
    struct Line {
        var block: TextBlock
        var x: Double
        var y: Double
    }

    struct Chip {
        var block: TextBlock
        var box: Box
        var index: Int
    }

    let unit: Double
    var icon: Box
    var title: Line
    var text: Line?
    /// The ground behind the reasons.
    var list: Box?
    var reasons: [Line] = []
    var prompt: Line?
    var chips: [Chip] = []
    var field: Box?
    var error: Line?
    var deny: (block: TextBlock, box: Box)
    var allow: (block: TextBlock, box: Box)
    /// The height of the whole question.
    var total: Double

    var margin: Double { 22 * unit }

    /// True if no text is cut.
    var isWhole: Bool {
        let lines = [title, text, prompt, error].compactMap { $0 } + reasons
        return lines.allSatisfy { !$0.block.isCut } && !deny.block.isCut && !allow.block.isCut
            && chips.allSatisfy { !$0.block.isCut }
    }

    /// Lays out a question. `lines` is the maximum number of lines per reason.
    init(_ words: QuestionText, _ painter: PanelPainter, unit: Double, lines: Int) {
        self.unit = unit
        let margin = 22 * unit
        let space = max(20, painter.width - 2 * margin)
        let side = 48 * unit
        icon = Box(x: margin, y: margin, width: side, height: side)
        let left = margin + side + 14 * unit
        let besides = max(10, space - side - 14 * unit)
        let title = painter.block(words.title, size: 18 * unit, weight: .bold)
        title.fit(width: besides, lines: 4, isBalanced: false)
        self.title = Line(block: title, x: left, y: margin)
        var y = margin + title.height
        if !words.text.isEmpty {
            let text = painter.block(words.text, size: 13 * unit, weight: .regular)
            text.fit(width: besides, lines: 3, isBalanced: false)
            self.text = Line(block: text, x: left, y: y + 4 * unit)
            y += 4 * unit + text.height
        }
        // A short title is centred beside the icon.
        let lack = max(0, side - (y - margin)) / 2
        self.title.y += lack
        self.text?.y += lack
        y = max(y, margin + side)
        deny = (
            painter.block(words.deny, size: 15 * unit, weight: .medium, isCentred: true),
            .init(x: 0, y: 0, width: 0, height: 0)
        )
        allow = (
            painter.block(words.allow, size: 15 * unit, weight: .semibold, isCentred: true),
            .init(x: 0, y: 0, width: 0, height: 0)
        )
        total = y
        placeReasons(words, painter: painter, space: space, lines: lines)
        placePasscode(words, painter: painter, space: space)
        placeButtons(painter, space)
    }

    private mutating func placeReasons(
        _ words: QuestionText,
        painter: PanelPainter,
        space: Double,
        lines: Int
    ) {
        guard !words.reasons.isEmpty else { return }
        let inner = 12 * unit
        let indent = 15 * unit
        let top = total + 16 * unit
        var y = top + inner
        for (index, reason) in words.reasons.enumerated() {
            if index > 0 { y += 7 * unit }
            let block = painter.block(reason, size: 14 * unit, weight: .regular)
            block.fit(width: max(10, space - 2 * inner - indent), lines: lines, isBalanced: false)
            reasons.append(Line(block: block, x: margin + inner + indent, y: y))
            y += block.height
        }
        let box = Box(x: margin, y: top, width: space, height: y + inner - top)
        list = box
        total = box.maxY
    }

    private mutating func placePasscode(_ words: QuestionText, painter: PanelPainter, space: Double) {
        var y = total + 16 * unit
        if let passcode = words.passcode {
            let prompt = painter.block(passcode.prompt, size: 13.5 * unit, weight: .semibold)
            prompt.fit(width: space, lines: 2, isBalanced: false)
            self.prompt = Line(block: prompt, x: margin, y: y)
            y += prompt.height + 8 * unit
            if passcode.provers.count > 1 {
                y = placeChips(passcode.provers, painter: painter, space: space, from: y) + 10 * unit
            }
            let field = Box(x: margin, y: y, width: space, height: 40 * unit)
            self.field = field
            y = field.maxY
            total = y
        }
        guard let sentence = words.error else { return }
        let error = painter.block(sentence, size: 13.5 * unit, weight: .medium)
        error.fit(width: space, lines: 3, isBalanced: false)
        self.error = Line(block: error, x: margin, y: y + 7 * unit)
        total = y + 7 * unit + error.height
    }

    private mutating func placeChips(
        _ names: [String],
        painter: PanelPainter,
        space: Double,
        from top: Double
    ) -> Double {
        let height = 30 * unit
        let gap = 8 * unit
        var (x, y) = (margin, top)
        for (index, name) in names.enumerated() {
            let block = painter.block(name, size: 13.5 * unit, weight: .medium, isCentred: true)
            block.fit(width: max(10, space - 26 * unit), lines: 1)
            block.fit(width: block.lineWidth.rounded(.up) + 1, lines: 1)
            let width = min(space, block.width + 26 * unit)
            if x > margin, x + width > margin + space {
                x = margin
                y += height + gap
            }
            chips.append(Chip(block: block, box: Box(x: x, y: y, width: width, height: height), index: index))
            x += width + gap
        }
        return y + height
    }

    /// Places the buttons beside each other, or below each other if their labels are long.
    private mutating func placeButtons(_ painter: PanelPainter, _ space: Double) {
        let gap = 12 * unit
        let height = 40 * unit
        let half = (space - gap) / 2
        let padding = 12 * unit
        let top = total + 20 * unit
        deny.block.fit(width: max(10, half - 2 * padding), lines: 1)
        allow.block.fit(width: max(10, half - 2 * padding), lines: 1)
        if deny.block.isCut || allow.block.isCut {
            deny.block.fit(width: max(10, space - 2 * padding), lines: 1)
            allow.block.fit(width: max(10, space - 2 * padding), lines: 1)
            allow.box = Box(x: margin, y: top, width: space, height: height)
            deny.box = Box(x: margin, y: top + height + 8 * unit, width: space, height: height)
            total = deny.box.maxY + margin
        } else {
            deny.box = Box(x: margin, y: top, width: half, height: height)
            allow.box = Box(x: margin + half + gap, y: top, width: half, height: height)
            total = deny.box.maxY + margin
        }
    }

    /// Moves the buttons down, so that the free space is above them.
    mutating func moveButtons(by dy: Double) {
        deny.box = deny.box.moved(0, dy)
        allow.box = allow.box.moved(0, dy)
    }
}

/// The texts of a question with unsafe characters removed and within their limits.
struct QuestionText {
    var title: String
    var text: String
    var reasons: [String]
    var passcode: DrawPasscode?
    var error: String?
    var deny: String
    var allow: String

    init(_ painter: PanelPainter) {
        let request = painter.request
        title = painter.clean(request.title, "title", isOneLine: false)
        text = painter.clean(request.text, "text", isOneLine: false)
        let given = request.reasons ?? []
        if given.count > DrawLimits.reasons {
            painter.warnings.add(
                Message(
                    "draw.too-many-reasons",
                    """
                    The question has \(given.count, "count") reasons. Only the first \
                    \(DrawLimits.reasons, "most") are shown.
                    """
                )
            )
        }
        reasons = given.prefix(DrawLimits.reasons).map {
            painter.clean($0, "reason", limit: DrawLimits.reasonLength)
        }.filter { !$0.isEmpty }
        passcode = request.passcode.map { passcode in
            DrawPasscode(
                prompt: painter.clean(passcode.prompt, "prompt"),
                provers: passcode.provers.prefix(DrawLimits.provers).map {
                    painter.clean($0, "prover", limit: DrawLimits.proverLength)
                },
                chosen: passcode.chosen,
                dots: max(0, min(DrawLimits.dots, passcode.dots))
            )
        }
        let error = painter.clean(request.error, "error", isOneLine: false)
        self.error = error.isEmpty ? nil : error
        deny = painter.clean(request.deny, DrawnSpot.deny, limit: DrawLimits.buttonLength)
        allow = painter.clean(request.allow, DrawnSpot.allow, limit: DrawLimits.buttonLength)
    }
}

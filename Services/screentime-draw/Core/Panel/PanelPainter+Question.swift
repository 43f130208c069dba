import Glibc
import STCCairo
import STContracts

/// Who asks, for what, and what one can answer.
extension PanelPainter {
    func paintQuestion() {
        let words = QuestionWords(self)
        var layout = best(words)
        if layout.total > height {
            warnings.add("The panel is too small for all of the question.")
        } else {
            layout.moveButtons(by: height - layout.total)
        }
        icon(in: layout.icon)
        draw(layout.title, "title", inks.label)
        if let text = layout.text { draw(text, "text", inks.secondary) }
        paintReasons(layout)
        if let passcode = words.passcode { paintPasscode(passcode, layout) }
        if let error = layout.error { draw(error, "error", inks.error) }
        paintButton(DrawnSpot.deny, layout.deny.block, in: layout.deny.box, inks.quietButton, inks.label)
        paintButton(DrawnSpot.allow, layout.allow.block, in: layout.allow.box, inks.button, .white)
    }

    /// The largest at which nothing is cut off; where there is none, what says the most.
    private func best(_ words: QuestionWords) -> QuestionLayout {
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
        // The buttons must be there, whatever becomes of the words.
        var factor = 0.5
        var layout = QuestionLayout(words, self, unit: scale * factor, lines: 1)
        while layout.total > height, factor > 0.1 {
            factor *= 0.85
            layout = QuestionLayout(words, self, unit: scale * factor, lines: 1)
        }
        return layout
    }

    private func draw(_ line: QuestionLayout.Line, _ role: String, _ ink: Ink, on ground: Ink? = nil) {
        draw(line.block, role, x: line.x, y: line.y, ink, on: ground)
    }

    private func paintReasons(_ layout: QuestionLayout) {
        guard let list = layout.list else { return }
        canvas.fill(mirrored(list), radius: 10 * layout.unit, inks.inset)
        let dot = 4.5 * layout.unit
        for line in layout.reasons {
            let first = line.block.height / Double(max(1, line.block.lineCount))
            let box = Box(line.x - 12 * layout.unit, line.y + first / 2 - dot / 2, dot, dot)
            canvas.fill(mirrored(box), radius: dot / 2, inks.secondary)
            draw(line, "reason", inks.label, on: inks.inset)
        }
    }

    private func paintPasscode(_ passcode: DrawPasscode, _ layout: QuestionLayout) {
        if let prompt = layout.prompt { draw(prompt, "prompt", inks.label) }
        for chip in layout.chips {
            let isChosen = chip.index == passcode.chosen
            let fill = isChosen ? inks.button : inks.quietButton
            let id = DrawnSpot.prover(chip.index)
            paintButton(id, chip.block, in: chip.box, fill, isChosen ? .white : inks.label)
        }
        guard let field = layout.field else { return }
        let box = mirrored(field)
        let radius = 9 * layout.unit
        canvas.fill(box, radius: radius, inks.inset)
        let line = max(1, scale)
        let edge = inks.label.with(alpha: 0.45)
        canvas.stroke(box.grown(-line / 2), radius: radius, width: line, edge)
        paintDots(passcode.dots, in: box, layout.unit)
        press(DrawnSpot.passcode, box, radius: radius)
    }

    /// In the middle, closer together when there are many.
    private func paintDots(_ count: Int, in box: Box, _ unit: Double) {
        let size = 9 * unit
        let room = box.width - 24 * unit
        let step = count > 1 ? min(18 * unit, (room - size) / Double(count - 1)) : 0
        let start = box.midX - step * Double(max(0, count - 1)) / 2
        for index in 0..<count {
            let x = start + step * Double(index)
            cairo_new_path(canvas.pen)
            cairo_arc(canvas.pen, x, box.midY, size / 2, 0, 2 * .pi)
            canvas.use(inks.label)
            cairo_fill(canvas.pen)
        }
        // Where the next one would come, as long as there is none.
        guard request.focus == DrawnSpot.passcode, count == 0 else { return }
        let caret = Box(
            box.midX - scale / 2,
            box.y + box.height * 0.27,
            max(1.5, 1.5 * scale),
            box.height * 0.46
        )
        canvas.fill(caret, radius: 0, inks.accent)
    }
}

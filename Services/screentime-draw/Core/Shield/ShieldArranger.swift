/// Finds the largest arrangement that fits a window.
struct ShieldArranger {
    private let canvas: Canvas
    private let content: ShieldContent
    private let scale: Double
    private let hasChevron: Bool
    private let hasMore: Bool

    init(_ canvas: Canvas, _ content: ShieldContent, scale: Double) {
        self.canvas = canvas
        self.content = content
        self.scale = scale
        hasChevron = !content.menu.isEmpty
        hasMore = content.more != nil || content.note != nil
    }

    private var width: Double { canvas.bounds.width }
    private var height: Double { canvas.bounds.height }

    /// True for a wide and low window, in which icon, texts and buttons are beside each other.
    private var isRow: Bool { height < 330 * scale && width > 2.3 * height }
    /// True for a window with the shape of a phone, in which the buttons are at the bottom within reach of the thumb.
    private var isPortrait: Bool { height > 1.3 * width && height > 480 * scale }

    func best() -> ShieldArrangement {
        let fits = ShieldFit.attempts(
            width: width / scale,
            height: height / scale,
            isRow: isRow,
            hasMore: hasMore
        )
        for fit in fits {
            let measures = ShieldMetrics(factor: fit.factor, scale: scale)
            if let found = isRow ? row(fit, measures) : column(fit, measures) { return found }
        }
        // The window is too small for a button, so only the icon is shown.
        let side = min(width, height) * 0.7
        return ShieldArrangement(
            unit: scale,
            icon: Box(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
        )
    }

    // MARK: - Column

    private func column(_ fit: ShieldFit, _ measures: ShieldMetrics) -> ShieldArrangement? {
        let space = min(width - 2 * measures.margin, measures.columnWidth)
        guard space > 30 * scale else { return nil }
        var result = ShieldArrangement(unit: measures.unit)
        let top = words(fit, measures: measures, space: space, result: &result)
        let buttons = buttons(fit, measures: measures, space: space, isWide: isPortrait, result: &result)
        // Without texts around it, an illegible button is of no use.
        guard fit.hasTexts || result.primary?.label.block.isCut == false else { return nil }
        let gap = top > 0 ? measures.aboveButtons : 0
        let total = top + gap + buttons
        guard total <= height - 2 * measures.margin else { return nil }
        if isPortrait {
            let bottom = height - measures.margin - buttons
            moveButtons(&result, by: bottom)
            moveTexts(&result, by: max(measures.margin, (bottom - gap - top) * 0.5))
        } else {
            // The optical centre is slightly above the middle.
            let start = max(measures.margin, (height - total) * 0.47)
            moveTexts(&result, by: start)
            moveButtons(&result, by: start + top + gap)
        }
        return result
    }

    /// Adds icon, title and subtitle from the upper edge. Returns their height.
    private func words(
        _ fit: ShieldFit,
        measures: ShieldMetrics,
        space: Double,
        result: inout ShieldArrangement
    ) -> Double {
        var y = 0.0
        if fit.hasIcon {
            let side = measures.icon * fit.iconShare
            result.icon = Box(x: (width - side) / 2, y: y, width: side, height: side)
            y += side + measures.belowIcon * fit.iconShare
        }
        if fit.hasTexts, !content.title.isEmpty {
            let title = titleBlock(measures)
            title.fit(width: space, lines: fit.titleLines)
            result.title = centred(title, y)
            y += title.height + measures.belowTitle
        }
        if fit.hasTexts, fit.subtitleLines > 0, !content.subtitle.isEmpty {
            let subtitle = subtitleBlock(measures)
            subtitle.fit(width: min(space, measures.subtitleWidth), lines: fit.subtitleLines)
            result.subtitle = centred(subtitle, y)
            y += subtitle.height
        } else if result.title != nil {
            y -= measures.belowTitle
        }
        return y
    }

    /// Adds the buttons from the upper edge. Returns their height.
    private func buttons(
        _ fit: ShieldFit,
        measures: ShieldMetrics,
        space: Double,
        isWide: Bool,
        centre: Double? = nil,
        result: inout ShieldArrangement
    ) -> Double {
        let centre = centre ?? width / 2
        let label = TextBlock(
            content.primary,
            buttonStyle(measures, .semibold),
            language: content.language,
            on: canvas
        )
        label.fit(width: space - 2 * measures.buttonPadding, lines: 1)
        let natural = label.lineWidth + 2 * measures.buttonPadding
        let buttonWidth = isWide ? space : min(space, max(measures.buttonWidth, natural))
        let box = Box(
            x: centre - buttonWidth / 2,
            y: 0,
            width: buttonWidth,
            height: max(measures.buttonHeight, label.height)
        )
        result.primary = .init(box: box, label: placed(label, in: box, centre))
        var bottom = box.maxY
        if fit.hasSecondary, let text = content.secondary {
            bottom = secondary(
                text,
                measures: measures,
                space: space,
                centre: centre,
                below: bottom,
                result: &result
            )
        }
        return more(fit, measures: measures, space: space, centre: centre, below: bottom, result: &result)
    }

    /// Adds the secondary button. Returns its lower edge, as the next function does.
    private func secondary(
        _ text: String,
        measures: ShieldMetrics,
        space: Double,
        centre: Double,
        below top: Double,
        result: inout ShieldArrangement
    ) -> Double {
        let second = TextBlock(text, buttonStyle(measures, .medium), language: content.language, on: canvas)
        let chevron = hasChevron ? measures.buttonSize * 1.1 : 0
        second.fit(width: space - 2 * measures.buttonPadding - chevron, lines: 1)
        let secondWidth = min(space, second.lineWidth + chevron + 2 * measures.buttonPadding)
        let secondBox = Box(
            x: centre - secondWidth / 2,
            y: top + measures.betweenButtons,
            width: secondWidth,
            height: max(measures.secondaryHeight, second.height)
        )
        result.secondary = .init(box: secondBox, label: placed(second, in: secondBox, centre - chevron / 2))
        return secondBox.maxY
    }

    /// Adds the control and the note below the buttons of the look. They are smaller and have no background.
    private func more(
        _ fit: ShieldFit,
        measures: ShieldMetrics,
        space: Double,
        centre: Double,
        below top: Double,
        result: inout ShieldArrangement
    ) -> Double {
        var bottom = top
        if fit.hasMore, let text = content.more {
            let style = TextBlock.Style(size: measures.buttonSize * 0.9, weight: .medium, spacing: 1)
            let label = TextBlock(text, style, language: content.language, on: canvas)
            label.fit(width: space - 2 * measures.buttonPadding, lines: 1)
            let size = (
                width: min(space, label.lineWidth + 2 * measures.buttonPadding),
                height: max(measures.moreHeight, label.height)
            )
            let box = Box(
                x: centre - size.width / 2,
                y: bottom + measures.betweenButtons * 0.75,
                width: size.width,
                height: size.height
            )
            result.more = .init(box: box, label: placed(label, in: box, centre))
            bottom = box.maxY
        }
        guard fit.hasMore, fit.hasNote, let text = content.note else { return bottom }
        let style = TextBlock.Style(size: measures.noteSize, weight: .regular, spacing: 1.2)
        let note = TextBlock(text, style, language: content.language, on: canvas)
        note.fit(width: space, lines: fit.subtitleLines > 2 ? 2 : 1)
        let box = Box(
            x: centre - note.width / 2,
            y: bottom + measures.betweenButtons * (result.more == nil ? 1 : 0.4),
            width: note.width,
            height: note.height
        )
        result.note = .init(block: note, box: box)
        return box.maxY
    }

    private func moveTexts(_ result: inout ShieldArrangement, by dy: Double) {
        result.icon = result.icon?.moved(0, dy)
        result.title = result.title.map { .init(block: $0.block, box: $0.box.moved(0, dy)) }
        result.subtitle = result.subtitle.map { .init(block: $0.block, box: $0.box.moved(0, dy)) }
    }

    private func moveButtons(_ result: inout ShieldArrangement, by dy: Double) {
        result.primary?.move(0, dy)
        result.secondary?.move(0, dy)
        result.more?.move(0, dy)
        result.note = result.note.map { .init(block: $0.block, box: $0.box.moved(0, dy)) }
    }

    // MARK: - Row

    private func row(_ fit: ShieldFit, _ measures: ShieldMetrics) -> ShieldArrangement? {
        let total = min(width - 2 * measures.margin, measures.rowWidth)
        let left = (width - total) / 2
        var result = ShieldArrangement(unit: measures.unit)
        let buttonSpace = min(total * 0.34, measures.buttonWidth)
        guard buttonSpace > 30 * scale else { return nil }
        let right = left + total - buttonSpace / 2
        let buttonHeight = buttons(
            fit,
            measures: measures,
            space: buttonSpace,
            isWide: true,
            centre: right,
            result: &result
        )
        let icon = fit.hasIcon ? measures.icon : 0
        let textLeft = left + (fit.hasIcon ? icon + measures.gap : 0)
        let textSpace = left + total - buttonSpace - measures.gap * 1.5 - textLeft
        guard textSpace > 40 * scale || !fit.hasTexts else { return nil }
        var y = 0.0
        if fit.hasTexts, !content.title.isEmpty {
            let title = titleBlock(measures, isCentred: false)
            title.fit(width: textSpace, lines: min(2, fit.titleLines), isBalanced: false)
            result.title = .init(
                block: title,
                box: Box(x: textLeft, y: y, width: title.width, height: title.height)
            )
            y += title.height + measures.belowTitle * 0.6
        }
        if fit.hasTexts, fit.subtitleLines > 0, !content.subtitle.isEmpty {
            let subtitle = subtitleBlock(measures, isCentred: false)
            subtitle.fit(width: textSpace, lines: min(4, fit.subtitleLines), isBalanced: false)
            result.subtitle = .init(
                block: subtitle,
                box: Box(x: textLeft, y: y, width: subtitle.width, height: subtitle.height)
            )
            y += subtitle.height
        }
        guard max(y, icon, buttonHeight) <= height - measures.margin else { return nil }
        if fit.hasIcon { result.icon = Box(x: left, y: (height - icon) / 2, width: icon, height: icon) }
        let top = (height - y) / 2
        result.title = result.title.map { .init(block: $0.block, box: $0.box.moved(0, top)) }
        result.subtitle = result.subtitle.map { .init(block: $0.block, box: $0.box.moved(0, top)) }
        moveButtons(&result, by: (height - buttonHeight) / 2)
        return result
    }

    // MARK: - Texts

    private func titleBlock(_ measures: ShieldMetrics, isCentred: Bool = true) -> TextBlock {
        TextBlock(
            content.title,
            .init(size: measures.titleSize, weight: .bold, spacing: 1.12, isCentred: isCentred),
            language: content.language,
            on: canvas
        )
    }

    private func subtitleBlock(_ measures: ShieldMetrics, isCentred: Bool = true) -> TextBlock {
        TextBlock(
            content.subtitle,
            .init(size: measures.subtitleSize, weight: .regular, spacing: 1.3, isCentred: isCentred),
            language: content.language,
            on: canvas
        )
    }

    private func buttonStyle(_ measures: ShieldMetrics, _ weight: TextBlock.Weight) -> TextBlock.Style {
        TextBlock.Style(size: measures.buttonSize, weight: weight, spacing: 1)
    }

    private func centred(_ block: TextBlock, _ y: Double) -> ShieldArrangement.PlacedText {
        .init(
            block: block,
            box: Box(x: (width - block.width) / 2, y: y, width: block.width, height: block.height)
        )
    }

    private func placed(_ block: TextBlock, in box: Box, _ centre: Double) -> ShieldArrangement.PlacedText {
        .init(
            block: block,
            box: Box(
                x: centre - block.width / 2,
                y: box.midY - block.height / 2,
                width: block.width,
                height: block.height
            )
        )
    }
}

import STContracts
import STDesktop
import STPlatform

/// Converts the states of the plans into panel contents.
struct PanelContentBuilder: Sendable {
    let settings: PanelSettings
    let strings: PanelStrings

    func countdown(_ view: BudgetCountdown.View) -> PanelContent {
        var drawing = drawing(.countdown, view.name)
        switch view.remaining {
        case .minutes(let count): drawing.time = strings.minutes(count)
        case .seconds(let count):
            drawing.time = strings.seconds(count)
            drawing.isUrgent = true
        }
        return PanelContent(
            place: .corner(width: 232, height: 48),
            name: strings.timeRemaining(view.name, drawing.time ?? ""),
            takesKeys: false,
            drawing: drawing
        )
    }

    func warning(_ warning: WarningQueue.Warning) -> PanelContent {
        var drawing = drawing(.warning, warning.title)
        drawing.text = warning.text.isEmpty ? nil : warning.text
        return PanelContent(
            place: .corner(width: 360, height: 92),
            name: warning.title,
            takesKeys: false,
            drawing: drawing
        )
    }

    func question(_ plan: QuestionQueue, _ now: BootTime) -> PanelContent? {
        guard let question = plan.current, let form = plan.form else { return nil }
        var drawing = drawing(.question, strings.requestTitle(question.appName))
        drawing.text = strings.source(question.app, member: question.member)
        drawing.reasons = question.reasons.prefix(DrawLimits.reasons).map { strings.text($0) }
        let provers = question.provers.prefix(DrawLimits.provers)
        let prover = provers.indices.contains(form.chosen) ? provers[form.chosen] : question.member
        drawing.passcode = DrawPasscode(
            prompt: strings.passcode(of: prover),
            provers: provers.count > 1 ? Array(provers) : [],
            chosen: form.chosen,
            dots: min(form.passcode.count, DrawLimits.dots)
        )
        drawing.error = form.error.map { problem in
            strings.error(problem, locked: form.lockedUntil.map { max(.zero, $0 - now) })
        }
        if drawing.error == nil { drawing.error = form.hint.map(strings.hint) }
        if form.isDenyHighlighted { drawing.error = strings.denyAgain }
        drawing.deny = strings.deny
        drawing.allow = strings.allow
        drawing.isBusy = form.isBusy
        drawing.focus = Self.spot(form.focus)
        return PanelContent(
            place: .middle(width: 480, height: Self.height(question, drawing.reasons ?? [])),
            name: drawing.title,
            takesKeys: true,
            drawing: drawing
        )
    }

    private func drawing(_ kind: DrawPanelKind, _ title: String) -> DrawPanelRequest {
        var drawing = DrawPanelRequest(
            kind: kind,
            width: 0,
            height: 0,
            appearance: settings.appearance,
            language: settings.language,
            title: title,
            output: "-"
        )
        drawing.isRounded = settings.isRounded
        drawing.format = .argb32
        return drawing
    }

    private static func spot(_ focus: QuestionForm.Focus) -> String {
        switch focus {
        case .prover(let index): DrawnSpot.prover(index)
        case .passcode: DrawnSpot.passcode
        case .deny: DrawnSpot.deny
        case .allow: DrawnSpot.allow
        }
    }

    /// Returns the width of a text in letters. Korean letters count as two.
    private static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
    }

    /// Returns the height of a question, with room for error messages. It stays the same while the window is open, because a
    /// window must not move while the person uses it.
    private static func height(_ question: AuthQuestion, _ reasons: [String]) -> Int {
        let lines = reasons.reduce(0) { $0 + max(1, (width($1) + 51) / 52) }
        let list = reasons.isEmpty ? 0 : 24 + 20 * lines
        let choices = question.provers.count > 1 ? 40 * (1 + question.provers.count / 5) : 0
        return min(720, 92 + list + 78 + choices + 30 + 88)
    }
}

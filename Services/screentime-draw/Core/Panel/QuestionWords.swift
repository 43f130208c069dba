import STContracts

/// The words of a question, made fit to be drawn.
struct QuestionWords {
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
                "There are \(given.count) reasons; the first \(DrawLimits.reasons) are shown."
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

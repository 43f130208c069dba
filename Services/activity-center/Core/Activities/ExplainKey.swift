import STContracts

/// What is summed up into one line of an explanation.
struct ExplainKey: Hashable {
    var item: String
    var why: ExplainReason

    init(_ stretch: Stretch, _ why: ExplainReason) {
        let app = stretch.app ?? stretch.presence.rawValue
        item = stretch.domain.map { "\(app) on \($0)" } ?? app
        self.why = why
    }
}

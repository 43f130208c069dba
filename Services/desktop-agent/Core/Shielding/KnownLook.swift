import STContracts
import STPlatform

/// A look with what pictures of it are known by.
struct KnownLook: Sendable, Equatable {
    var view: ShieldLookView
    var key: LookKey
    /// Who shielded the app when it was told.
    var word: ShieldWord
    /// By boot time: from then on it says something that is not so any more.
    var untilMs: Int64?
    private var toldMs: Int64

    /// However often it changes, it is not asked for more often.
    private static let againMs: Int64 = 10_000
    /// The same of changes of policy, which somebody has made and waits for.
    private static let changedMs: Int64 = 1_000

    init(_ view: ShieldLookView, _ word: ShieldWord, at now: TimeReading) {
        self.view = view
        key = LookKey(view.look)
        self.word = word
        toldMs = now.bootMs
        guard let wallMs = view.goodUntilMs else { return }
        let (restMs, isFar) = wallMs.subtractingReportingOverflow(now.wallMs)
        guard !isFar else { return }
        let (untilMs, isNever) = now.bootMs.addingReportingOverflow(max(Self.againMs, restMs))
        self.untilMs = isNever ? nil : untilMs
    }

    /// From when on it has to be asked for anew, under this word; nil: it is right until something happens.
    func staleMs(_ now: ShieldWord) -> Int64? {
        let changedMs = word.policy == now.policy ? nil : toldMs + Self.changedMs
        return [changedMs, untilMs].compactMap(\.self).min()
    }
}

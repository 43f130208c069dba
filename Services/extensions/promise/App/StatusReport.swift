import Foundation
import STAppSupport
import STPromiseKit

/// All that the status screen shows.
struct StatusReport: Encodable {
    struct Interval: Encodable {
        var start: String
        var end: String
    }

    struct LastWords: Encodable {
        var text: String
        var at: String
    }

    var permission: String
    var isApproved: Bool
    var names: [String]
    var allowanceSeconds: Int
    var warningSeconds: Int
    var words: String
    var window: String
    var isMonitored: Bool
    var nextInterval: Interval?
    var kept: Int
    var broken: Int
    var inARow: Int
    var isTodayBroken: Bool?
    var lastWords: LastWords?

    @MainActor
    init(_ model: PromiseModel) {
        let terms = model.terms
        let book = model.book
        permission = model.permission
        isApproved = model.isApproved
        names = model.names
        allowanceSeconds = terms.allowance.seconds
        warningSeconds = terms.warning?.seconds ?? 0
        words = terms.words
        window = terms.window
        isMonitored = model.isMonitoring
        nextInterval = model.nextInterval.map {
            Interval(start: LocalTime.text($0.start), end: LocalTime.text($0.end))
        }
        kept = book.kept
        broken = book.broken
        inARow = book.inARow
        isTodayBroken = book.isBroken
        lastWords = model.lastWords.map { LastWords(text: $0.text, at: LocalTime.text($0.date)) }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    func text(_ say: PromiseWords) -> String {
        var lines = [
            say.permission(isApproved: isApproved),
            say.chosen(names),
            say.terms(
                Length(seconds: allowanceSeconds),
                warning: warningSeconds > 0 ? Length(seconds: warningSeconds) : nil,
                window: window
            ),
            say.own(words),
            say.monitored(isMonitored ? nextInterval.map { "\($0.start) – \($0.end)" } ?? "–" : nil),
            say.kept(kept, broken: broken, inARow: inARow) + " " + say.today(isBroken: isTodayBroken),
        ]
        if let lastWords { lines.append(say.lastWords(lastWords.text, at: lastWords.at)) }
        return lines.joined(separator: "\n")
    }
}

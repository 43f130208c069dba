import STContracts
import STDomain

/// How far the period before lies back, on local clocks: a day that lasted 25 hours is one day.
struct UsageShift {
    private let rules: ZoneRules
    private let ms: Int64
    var days: Int64 { ms / LivedTime.dayMs }

    init(_ query: UsageQuery) {
        rules = query.rules
        let lengthMs = rules.localMs(atMs: query.toMs) - rules.localMs(atMs: query.fromMs)
        let startsDay =
            LivedTime.startMs(ofDay: LivedTime.day(atMs: query.fromMs, rules), rules) == query.fromMs
        let stepMs: Int64
        switch query.segment {
        case .week: stepMs = 7 * LivedTime.dayMs
        case .day: stepMs = LivedTime.dayMs
        // Some hours of a day that began before it are compared with those just before.
        case .hour, .whole, .unknown: stepMs = startsDay || lengthMs >= LivedTime.dayMs ? LivedTime.dayMs : 1
        }
        ms = max(stepMs, LivedTime.floor(lengthMs + stepMs - 1, stepMs))
    }

    func earlier(_ moment: Int64) -> Int64 {
        rules.moment(showing: rules.localMs(atMs: moment) - ms).firstMs
    }

    func later(_ moment: Int64) -> Int64 {
        rules.moment(showing: rules.localMs(atMs: moment) + ms).firstMs
    }
}

import STContracts

/// One axis of a chart: converts values to positions, and names positions.
struct ChartScale {
    enum Kind {
        /// The axis has no values.
        case single
        case category
        case number
        case moment
    }

    static let hourMs = 3_600_000.0
    static let dayMs = 86_400_000.0

    let kind: Kind
    let unit: PageUnit
    let axis: PageAxis?
    let clock: PageClock
    let language: String
    private(set) var categories: [String] = []
    private var places: [String: Int] = [:]
    /// True if all moments are hours of one day, so that their names need not contain the day.
    private var isOneDay = false
    private(set) var lower = Double.infinity
    private(set) var upper = -Double.infinity

    init(_ axis: PageAxis?, data: [PageDatum], clock: PageClock, language: String) {
        self.axis = axis
        self.clock = clock
        self.language = language
        let given = axis?.categories ?? []
        if axis?.unit == .category || data.contains(where: { $0.text != nil }) || !given.isEmpty {
            kind = .category
        } else if axis?.unit == .date || data.contains(where: { $0.wallMs != nil }) {
            kind = .moment
        } else {
            kind = data.isEmpty ? .single : .number
        }
        switch axis?.unit {
        case .duration: unit = .duration
        case .percent: unit = .percent
        default: unit = .number
        }
        let days = Set(data.compactMap(\.wallMs).map { clock.dayStart(local: clock.local($0)) })
        isOneDay = days.count == 1 && axis?.step == .hour
        if kind == .category {
            for name in given + data.map({ Self.name($0, clock: clock, unit: unit, language: language) })
            where places[name] == nil {
                places[name] = categories.count
                categories.append(name)
            }
        }
        if kind == .category || kind == .single {
            lower = 0
            upper = Double(max(1, categories.count))
        }
    }

    var isHidden: Bool { axis?.isHidden == true || kind == .single }

    /// The step of moments. Days and longer steps are in local time, so that daylight saving time does not change their width.
    var step: PageDateStep? { axis?.step == .unknown ? nil : axis?.step }

    var isLocal: Bool { kind == .moment && step != nil && step != .hour }

    /// Returns the start and the end of a value. Categories and days have a width.
    func span(_ datum: PageDatum?) -> (from: Double, to: Double) {
        guard let datum else { return kind == .single || kind == .category ? (0, 1) : (0, 0) }
        switch kind {
        case .single: return (0, 1)
        case .category:
            let place = Double(places[Self.name(datum, clock: clock, unit: unit, language: language)] ?? 0)
            return (place, place + 1)
        case .number:
            let value = datum.number ?? datum.wallMs.map(Double.init) ?? 0
            return (value, value)
        case .moment:
            let wallMs = datum.wallMs ?? Int64((datum.number ?? 0).rounded())
            let value = Double(isLocal ? clock.local(wallMs) : wallMs)
            return (value, value + stepLength(at: value))
        }
    }

    /// Returns the length of the step that begins at this value.
    func stepLength(at value: Double) -> Double {
        switch step {
        case .hour: Self.hourMs
        case .day: Self.dayMs
        case .week: 7 * Self.dayMs
        case .month: Double(clock.month(local: Int64(value), adding: 1)) - value
        case nil, .unknown: 0
        }
    }

    /// Extends the range of numbers or moments. Categories remain unchanged.
    mutating func include(_ value: Double) {
        guard kind == .number || kind == .moment, value.isFinite else { return }
        lower = min(lower, value)
        upper = max(upper, value)
    }

    /// Finishes the range. Numbers begin at zero and end at a round number unless the axis sets its own range.
    mutating func finalize(labels: Int) {
        guard kind == .number || kind == .moment else { return }
        if kind == .number { include(0) }
        if lower > upper { (lower, upper) = (0, kind == .moment ? Self.dayMs : 0) }
        if kind == .number {
            if upper - lower <= 0 { upper = lower + (unit == .duration ? 3600 : 1) }
            let size = ChartSteps.size(upper - lower, unit: unit, count: labels)
            lower = (lower / size).rounded(.down) * size
            upper = (upper / size).rounded(.up) * size
        }
        if let from = axis?.from { lower = edge(from) }
        if let to = axis?.to { upper = edge(to) }
        if upper <= lower { upper = lower + (kind == .moment ? Self.hourMs : 1) }
    }

    private func edge(_ value: Double) -> Double {
        guard kind == .moment, isLocal, abs(value) < 9e15 else { return value }
        return Double(clock.local(Int64(value)))
    }

    /// Returns the position of a value from 0 at the start to 1 at the end. Values outside the range are clamped.
    func part(_ value: Double) -> Double { min(max((value - lower) / (upper - lower), 0), 1) }

    func isWithin(_ value: Double) -> Bool {
        let slack = (upper - lower) * 1e-9
        return value >= lower - slack && value <= upper + slack
    }

    /// Returns the text of a value.
    func accessibilityText(_ datum: PageDatum) -> String {
        if let text = datum.text { return text }
        if kind == .moment {
            let wallMs = datum.wallMs ?? Int64((datum.number ?? 0).rounded())
            let local = clock.local(wallMs)
            return isOneDay
                ? clock.hourName(clock.hour(local: local)) : clock.accessibilityText(local: local, step: step)
        }
        return Self.name(datum, clock: clock, unit: unit, language: language)
    }

    static func name(
        _ datum: PageDatum,
        clock: PageClock,
        unit: PageUnit,
        language: String
    ) -> String {
        if let text = datum.text { return text }
        if let wallMs = datum.wallMs { return clock.accessibilityText(local: clock.local(wallMs), step: nil) }
        return number(datum.number ?? 0, unit: unit, language: language)
    }

    static func number(_ value: Double, unit: PageUnit, language: String) -> String {
        let numbers = PageNumbers(language: language)
        switch unit {
        case .duration: return numbers.duration(value)
        case .percent: return numbers.percent(value)
        case .number, .date, .category, .unknown: return numbers.number(value)
        }
    }
}

/// Determines the distance between the numbers on an axis.
enum ChartSteps {
    /// The steps of durations, in seconds. Hours have no decimal steps.
    private static let seconds: [Double] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200,
    ]

    /// Returns the smallest round step that results in at most `count` steps in a length.
    static func size(_ length: Double, unit: PageUnit, count: Int) -> Double {
        let wanted = max(length, 1e-300) / Double(max(1, count))
        if unit == .duration {
            if let size = seconds.first(where: { $0 >= wanted * 0.999 }) { return size }
            return 86_400 * decimal(wanted / 86_400)
        }
        return decimal(wanted)
    }

    /// Returns 1, 2 or 5 times a power of ten.
    private static func decimal(_ wanted: Double) -> Double {
        let power = PageMath.power(10, PageMath.log10(wanted).rounded(.down))
        for factor in [1.0, 2, 5, 10] where factor * power >= wanted * 0.999 { return factor * power }
        return 10 * power
    }
}

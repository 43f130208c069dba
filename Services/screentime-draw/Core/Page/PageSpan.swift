import STContracts

/// How much room something takes along one axis: it answers every offer with the nearest length in here.
struct PageSpan: Equatable {
    var min: Double
    /// What it takes when nobody says how much there is.
    var ideal: Double
    var max: Double

    init(_ min: Double, _ ideal: Double, _ max: Double) {
        self.min = min
        self.ideal = ideal
        self.max = max
    }

    init(fixed: Double) { self.init(fixed, fixed, fixed) }

    static let nothing = PageSpan(fixed: 0)
    /// Of shapes, as SwiftUI has it.
    static let flexible = PageSpan(0, 10, .infinity)

    func taken(of offer: Double) -> Double { Swift.max(min, Swift.min(offer, max)) }

    func adding(_ length: Double) -> PageSpan {
        PageSpan(Swift.max(0, min + length), Swift.max(0, ideal + length), Swift.max(0, max + length))
    }

    /// One beside the other.
    static func + (one: PageSpan, other: PageSpan) -> PageSpan {
        PageSpan(one.min + other.min, one.ideal + other.ideal, one.max + other.max)
    }

    /// One on top of the other.
    func union(_ other: PageSpan) -> PageSpan {
        PageSpan(Swift.max(min, other.min), Swift.max(ideal, other.ideal), Swift.max(max, other.max))
    }

    /// The lengths that a page may have; what is no number is none.
    static func length(_ value: Double?) -> Double? {
        guard let value, value.isFinite else { return nil }
        return Swift.min(Swift.max(value, -DrawLimits.pageHeightMax), DrawLimits.pageHeightMax)
    }
}

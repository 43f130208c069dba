import Foundation
import STFoundationTypes
import Testing

@Suite("Lengths of time as text")
struct LengthTextTests {
    private func text(
        _ seconds: TimeInterval,
        style: DateComponentsFormatter.UnitsStyle,
        units: NSCalendar.Unit = [.hour, .minute, .second],
        zeros: DateComponentsFormatter.ZeroFormattingBehavior = .default,
        count: Int = 0
    ) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = style
        formatter.allowedUnits = units
        formatter.zeroFormattingBehavior = zeros
        formatter.maximumUnitCount = count
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = Locale(identifier: "en_US")
        formatter.calendar = calendar
        return formatter.string(from: seconds)
    }

    @Test("A length of time is formatted in each style")
    func styles() {
        #expect(text(3_900, style: .positional) == "1:05:00")
        #expect(text(3_900, style: .abbreviated) == "1h 5m")
        #expect(text(3_900, style: .short) == "1 hr, 5 min")
        #expect(text(3_900, style: .full) == "1 hour, 5 minutes")
        #expect(text(65, style: .positional) == "1:05")
        #expect(text(65, style: .positional, zeros: .pad) == "00:01:05")
    }

    @Test("Formatting a length of time handles zeros, negative values, unit limits and infinity")
    func edges() {
        #expect(text(0, style: .abbreviated) == "0s")
        #expect(text(3_600, style: .full, zeros: .dropTrailing) == "1 hour")
        #expect(text(3_661, style: .abbreviated, count: 2) == "1h 1m")
        #expect(text(-90, style: .abbreviated) == "-1m 30s")
        #expect(text(90_000, style: .abbreviated, units: [.minute]) == "1,500m")
        #expect(text(.infinity, style: .full) == nil)
    }
}

import Foundation
import STFoundationTypes
import Testing

@Suite("Lengths of time in words")
struct LengthTextTests {
    private func text(
        _ seconds: TimeInterval,
        _ style: DateComponentsFormatter.UnitsStyle,
        _ units: NSCalendar.Unit = [.hour, .minute, .second],
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

    @Test("a length of time is written in each style")
    func styles() {
        #expect(text(3_900, .positional) == "1:05:00")
        #expect(text(3_900, .abbreviated) == "1h 5m")
        #expect(text(3_900, .short) == "1 hr, 5 min")
        #expect(text(3_900, .full) == "1 hour, 5 minutes")
        #expect(text(65, .positional) == "1:05")
        #expect(text(65, .positional, zeros: .pad) == "00:01:05")
    }

    @Test("a length of time keeps or drops zeros, obeys its limit, and refuses infinity")
    func edges() {
        #expect(text(0, .abbreviated) == "0s")
        #expect(text(3_600, .full, zeros: .dropTrailing) == "1 hour")
        #expect(text(3_661, .abbreviated, count: 2) == "1h 1m")
        #expect(text(-90, .abbreviated) == "-1m 30s")
        #expect(text(90_000, .abbreviated, [.minute]) == "1,500m")
        #expect(text(.infinity, .full) == nil)
    }
}

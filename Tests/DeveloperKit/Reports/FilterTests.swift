import Foundation
import STContracts
import Testing

@testable import DeviceActivity
@testable import ManagedSettings

@Suite("Report filters")
struct FilterTests {
    private let day = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 86_400)

    @Test("The default filter covers today by the hour, for the current person and device")
    func defaults() throws {
        let before = Date.now
        let filter = DeviceActivityFilter()
        guard case .hourly(let interval) = filter.segmentInterval else {
            Issue.record("\(filter.segmentInterval)")
            return
        }
        #expect(interval.start == Calendar.current.startOfDay(for: before))
        #expect(interval.end >= before && interval.end <= .now)
        #expect(filter.users == nil && filter.devices == nil)
        #expect(filter.wire.users == nil && filter.wire.models == nil && filter.wire.weekday == nil)
        #expect(filter.applications.isEmpty && filter.categories.isEmpty && filter.webDomains.isEmpty)
    }

    @Test("A filter is sent with all its parts")
    func wire() {
        let tokens = Set([ApplicationToken(data: Data([2])), ApplicationToken(data: Data([1]))])
        let filter = DeviceActivityFilter(
            segment: .weekly(during: day),
            users: .children,
            devices: .init([.iPhone, .iPad]),
            applications: tokens,
            categories: [ActivityCategoryToken(data: Data([3]))],
            webDomains: [WebDomainToken(data: Data([4]))]
        )
        #expect(
            filter.wire
                == ReportFilter(
                    segment: .week,
                    fromWallMs: 0,
                    toWallMs: 86_400_000,
                    users: .children,
                    models: [.iPad, .iPhone],
                    applications: ["AQ==", "Ag=="],
                    categories: ["Aw=="],
                    webDomains: ["BA=="],
                    weekday: Calendar.current.firstWeekday
                )
        )
        let all = DeviceActivityFilter(segment: .daily(during: day), users: .all, devices: .all)
        #expect(all.wire.users == .all && all.wire.models == [] && all.wire.segment == .day)
        #expect(all.devices == DeviceActivityFilter.Devices([]))
        #expect(DeviceActivityFilter.SegmentInterval(filter.wire) == .weekly(during: day))
        #expect(all != filter && all == all)
    }

    @Test("Infinite dates of a filter are sent as the earliest or latest possible time")
    func distant() {
        let forever = DateInterval(start: .distantPast, end: Date(timeIntervalSince1970: .infinity))
        let wire = DeviceActivityFilter(segment: .daily(during: forever)).wire
        #expect(wire.fromWallMs == -62_135_769_600_000 && wire.toWallMs == 9_007_199_254_740_992)
        #expect(Date(timeIntervalSince1970: .nan).wallMs == 0)
        var reversed = wire
        reversed.toWallMs = -Int64.max
        #expect(
            DeviceActivityFilter.SegmentInterval(reversed)
                == .daily(during: DateInterval(start: .distantPast, duration: 0))
        )
    }
}

import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STReportCore

@Suite("Filters of apps")
struct AppFilterTests {
    private func refusal(_ change: (inout ReportFilter) -> Void) -> Problem? {
        var filter = HostingDesk.filter()
        change(&filter)
        do {
            try ReportFilterCheck.check(filter)
            return nil
        } catch {
            return error as? Problem
        }
    }

    @Test("A filter with an invalid interval, segment, weekday, user or model is rejected")
    func bad() {
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.toWallMs = $0.fromWallMs } == nil)
        #expect(refusal { $0.toWallMs = $0.fromWallMs - 1 }?.code == "report.bad_interval")
        #expect(refusal { $0.fromWallMs = -1 }?.code == "report.bad_interval")
        #expect(refusal { $0.toWallMs = .max }?.code == "report.bad_interval")
        #expect(refusal { $0.fromWallMs = .min }?.code == "report.bad_interval")
        #expect(refusal { $0.segment = .whole }?.code == "report.bad_segment")
        // A segment finer than an hour is decoded as unknown.
        #expect(refusal { $0.segment = .unknown }?.message.contains("finer than an hour") == true)
        let century: Int64 = 36_525 * 86_400_000
        for segment in [ReportSegmentation.day, .week, .hour] {
            let problem = refusal {
                $0.segment = segment
                $0.fromWallMs = 0
                $0.toWallMs = century
            }
            #expect(problem?.code == "report.too_long", "\(segment)")
        }
        #expect(refusal { $0.toWallMs = $0.fromWallMs + ReportLimits.longestByHours.ms } == nil)
        #expect(
            refusal { $0.toWallMs = $0.fromWallMs + ReportLimits.longestByHours.ms + 1 }?.code
                == "report.too_long"
        )
        #expect(refusal { $0.weekday = 0 }?.code == "report.bad_weekday")
        #expect(refusal { $0.weekday = 8 }?.code == "report.bad_weekday")
        #expect(refusal { $0.weekday = 7 } == nil)
        #expect(refusal { $0.users = .unknown }?.code == "body.unknown_value")
        #expect(refusal { $0.models = [.mac, .unknown] }?.field == "/filter/models/1")
    }

    @Test(
        "A filter selects the member by default, all members with permission, or the children"
    )
    func users() throws {
        var desk = try HostingDesk()
        func people(_ users: ReportUsers?) throws -> [String] {
            try desk.look(HostingDesk.filter(users: users)).parts.map { "\($0.member) \($0.isChild)" }
        }
        #expect(try people(nil) == ["kim false"])
        #expect(try people(.current) == ["kim false"])
        #expect(try people(.all) == ["kim false"])
        let none = #expect(throws: Problem.self) { try people(.children) }
        #expect(none?.code == "report.no_children")
        try desk.allow(HostingDesk.child)
        #expect(try people(.all) == ["kim false", "lee true"])
        #expect(try people(.children) == ["lee true"])
        try desk.allow(HostingDesk.child, .denied)
        #expect(try people(.all) == ["kim false"])
    }

    @Test("A filter of a child selects only that child")
    func childAsks() throws {
        var desk = try HostingDesk()
        try desk.allow(HostingDesk.child)
        for users in [ReportUsers.all, .children] {
            let parts = try desk.look(HostingDesk.filter(users: users), member: HostingDesk.child).parts
            #expect(parts.map(\.member) == [HostingDesk.child])
        }
    }

    @Test("A filter of several people is unavailable until auth-service's permissions are known")
    func unheard() throws {
        var desk = try HostingDesk()
        try desk.allow(HostingDesk.child)
        // After a restart, because the permission may have been revoked meanwhile.
        let again = try desk.bench.reopened()
        func look(_ users: ReportUsers?) throws -> Problem? {
            let data = ReportData.Request(app: HostingDesk.app, filter: HostingDesk.filter(users: users))
            do {
                _ = try desk.data(.init(data: data, member: HostingDesk.owner, items: []), of: again)
                return nil
            } catch let problem as Problem {
                return problem
            }
        }
        for users in [ReportUsers.all, .children] {
            let problem = try look(users)
            #expect(problem?.code == "unavailable" && problem?.retryable == true)
        }
        #expect(try look(nil) == nil)
        again.reach()
        #expect(try look(.all) == nil)
    }

    @Test("A filter without devices selects this one, whose model is a Mac or the one in the app's manifest")
    func devices() throws {
        var desk = try HostingDesk(devices: [HostingDesk.phone, HostingDesk.own])
        func devices(_ models: [ReportModel]?) throws -> [String] {
            try desk.look(HostingDesk.filter(models: models)).parts.map {
                "\($0.device.device) \($0.device.model.rawValue)"
            }
        }
        #expect(try devices(nil) == ["own mac"])
        #expect(try devices([]) == ["own mac", "phone iphone"])
        #expect(try devices([.mac]) == ["own mac"])
        #expect(try devices([.iPhone, .iPad]) == ["phone iphone"])
        let problem = #expect(throws: Problem.self) { try devices([.iPad]) }
        #expect(problem?.code == "report.no_device")
        #expect(problem?.message.contains("this computer (mac), phone of kim (iPhone)") == true)
        #expect(problem?.message.contains("\"deviceModel\": \"iPhone\"") == true)
        try desk.install(model: "iPhone")
        #expect(try devices(nil) == ["own iphone"])
        #expect(try devices([.iPhone]) == ["own iphone", "phone iphone"])
        #expect(try #require(throws: Problem.self) { try devices([.mac]) }.code == "report.no_device")
        // The same state after a restart.
        let again = try desk.bench.reopened()
        #expect(again.state.apps.installed[HostingDesk.app]?.model == .iPhone)
        #expect(again.state.apps.members(of: HostingDesk.app) == [HostingDesk.owner])
    }

    @Test("The default filter is today by the hour, also on days of 23 and 25 hours")
    func today() {
        func hours(_ year: Int, _ month: Int, _ day: Int, _ zone: String) -> Int64 {
            let wallMs = ReportDesk.wallMs(year, month: month, day: day, hour: 12)
            let now = TimeReading(wallMs: wallMs, bootMs: 0, monotonicMs: 0)
            let filter = ReportFilterCheck.today(now, zone: zone)
            #expect(filter.fromWallMs <= wallMs && wallMs < filter.toWallMs)
            return (filter.toWallMs - filter.fromWallMs) / 3_600_000
        }
        #expect(hours(2026, 11, 20, "Asia/Seoul") == 24)
        #expect(hours(2026, 3, 29, "Europe/Berlin") == 23)
        #expect(hours(2026, 10, 25, "Europe/Berlin") == 25)
        #expect(hours(2026, 3, 30, "Europe/Berlin") == 24)
        #expect(hours(2026, 10, 26, "Europe/Berlin") == 24)
    }
}

import STContracts
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STMonitorCore

@Suite("Permission for callbacks")
struct PermissionTests {
    private func refusal(_ desk: MonitorDesk) throws -> String? { try desk.next().first?.refusal?.code }

    @Test("Permission for callbacks follows auth-service and is kept after a restart")
    func words() throws {
        var desk = try MonitorDesk(knowsApp: false)
        try desk.happens()
        #expect(try refusal(desk) == "app.not_installed")
        try desk.install(monitor: nil)
        #expect(try refusal(desk) == "app.no_monitor")
        try desk.install()
        #expect(try refusal(desk) == "auth.not_approved")
        try desk.allow(.denied)
        #expect(try refusal(desk) == "auth.not_approved")
        try desk.allow(member: "another")
        #expect(try refusal(desk) == "auth.not_approved")
        try desk.allow()
        #expect(try refusal(desk) == nil)
        try desk.reopen()
        #expect(try refusal(desk) == nil)
        try desk.allow(access: false)
        #expect(try refusal(desk) == "auth.not_approved")
        try desk.remove()
        try desk.reopen()
        #expect(try refusal(desk) == "app.not_installed")
    }

    @Test("Permission is checked again when a delivery begins")
    func begin() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        #expect(try refusal(desk) == nil)
        try desk.allow(.denied)

        #expect(try desk.begin(1) == nil)
        #expect(try desk.view(1)?.attempt == 0)
    }

    @Test("A callback without permission is parked with the reason until it is retried")
    func park() throws {
        var desk = try MonitorDesk()
        try desk.allow(.denied)
        try desk.happens()
        let refused = try #require(try desk.next().first)
        let problem = try #require(refused.refusal)
        try desk.bench.park(1, problem)

        let view = try #require(try desk.view(1))
        #expect(view.state == .parked && view.reason == "auth.not_approved")
        #expect(view.message?.english.contains("does not permit") == true)
        #expect(try desk.next().isEmpty)
        try desk.allow()
        _ = try desk.bench.ask(MonitorRetry.self, .init(delivery: "D1"))
        #expect(try desk.attempt(1).state == .done)
        try desk.bench.park(1, problem)
        #expect(try desk.view(1)?.state == .done)
    }

    @Test("Deliveries of built-in rules need no permission, are done immediately and cannot be retried")
    func builtIn() throws {
        var desk = try MonitorDesk(knowsApp: false)
        try desk.happens(app: BuiltInRules.app)
        #expect(try desk.view(1)?.state == .done)
        #expect(try desk.bench.nextDeliveries().isEmpty)
        try desk.bench.database.run("UPDATE deliveries SET state = 'parked'")
        let retry = MonitorRetry.Request(delivery: "D1")
        #expect(try desk.bench.refusal(MonitorRetry.self, retry)?.code == "delivery.of_rule")
    }

    @Test("Permission is rebuilt from a snapshot")
    func rebuild() throws {
        var desk = try MonitorDesk()
        try desk.happens()
        try desk.bench.rebuild([], subscription: 1)

        #expect(try refusal(desk) == "app.not_installed")
        try desk.reopen()
        #expect(try refusal(desk) == "app.not_installed")
    }
}

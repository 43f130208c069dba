import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STReportCore

@Suite("Requests of apps for reports")
struct HostingRouteTests {
    /// A simulated auth-service with tokens in the form `kind:id`.
    private func desk(_ status: AuthorizationStatus = .approved) throws -> HostingDesk {
        let desk = try HostingDesk { _ in
            HostingDesk.reply([HostingDesk.segment(1, rows: [HostingDesk.row("editor")])])
        }
        desk.bench.otherService = { route, body in
            guard route == AuthCheck.name else { throw Problem("test.route", verbatim: route) }
            let request = try AuthCheck.Request.decodedBody(body)
            let items = try request.tokens.enumerated().map { index, token in
                let parts = token.split(separator: ":").map(String.init)
                guard parts.count == 2 else {
                    throw Problem(
                        "token.foreign",
                        "This token was given to another app.",
                        field: "/tokens/\(index)"
                    )
                }
                return TokenItem(kind: TokenKind(rawValue: parts[0]) ?? .unknown, id: parts[1])
            }
            let word = HostingDesk.word(request.member ?? HostingDesk.owner, status)
            return try AuthCheck.Reply(authorization: word, items: items, hasMonitor: false).encodedBody()
        }
        return desk
    }

    private func data(_ change: (inout ReportFilter) -> Void = { _ in }) -> ReportData.Request {
        var filter = HostingDesk.filter()
        change(&filter)
        return ReportData.Request(app: HostingDesk.app, filter: filter)
    }

    @Test("With permission, report data is requested from the worker with the items of the tokens")
    func allowed() throws {
        let desk = try desk()
        desk.bench.companion = { route, body in
            guard route == DataQuery.name else { throw Problem("test.route", verbatim: route) }
            let request = try DataQuery.Request.decodedBody(body)
            guard request.member == HostingDesk.owner,
                request.items.map(\.id) == ["editor", "games", "a.example"]
            else { throw Problem("test.items", verbatim: "\(request.items)") }
            return try DataQuery.Reply(data: ReportData.Reply(parts: [], next: "more")).encodedBody()
        }
        let request = data {
            $0.applications = ["application:editor"]
            $0.categories = ["category:games"]
            $0.webDomains = ["domain:a.example"]
        }
        #expect(try desk.bench.ask(ReportData.self, request).next == "more")
    }

    @Test("Report data is rejected without permission, with foreign tokens or with an invalid filter")
    func refused() throws {
        for status in [AuthorizationStatus.notDetermined, .denied] {
            let bench = try desk(status).bench
            let problem = try bench.refusal(ReportData.self, data())
            #expect(problem?.code == "auth.unauthorized")
            #expect(problem?.help == "screentime app access org.example.app on --member kim")
        }
        let bench = try desk().bench
        #expect(try bench.refusal(ReportData.self, data { $0.applications = ["x"] })?.code == "token.foreign")
        let wrong = try bench.refusal(ReportData.self, data { $0.applications = ["category:games"] })
        #expect(wrong?.code == "report.wrong_kind" && wrong?.field == "/filter/applications/0")
        let interval = data { $0.toWallMs = $0.fromWallMs - 1 }
        #expect(try bench.refusal(ReportData.self, interval)?.code == "report.bad_interval")
        var language = data()
        language.language = "../ko"
        #expect(try bench.refusal(ReportData.self, language)?.code == "report.bad_language")
        // No worker is available to reply.
        #expect(try bench.refusal(ReportData.self, data())?.code == "unavailable")
    }

    @Test("A report job contains the executable, filter and people, or fails with a reason")
    func jobs() throws {
        var desk = try desk()
        let asked = RenderCall.Request(app: HostingDesk.app, member: HostingDesk.owner, context: "total")
        let job = try desk.job(asked)
        #expect(job.executable == "/opt/app/report" && job.name == "Example" && job.zone == "Asia/Seoul")
        #expect(job.filter?.segment == .hour)
        #expect(job.people == [HostingDesk.owner])
        // The permission of each member is checked again before the report is shown.
        try desk.allow(HostingDesk.child)
        var all = asked
        all.filter = HostingDesk.filter(users: .all)
        #expect(try desk.job(all).people == [HostingDesk.owner, HostingDesk.child])
        #expect(job.filter?.fromWallMs == HostingDesk.fromWallMs)
        try desk.install(extensions: [])
        #expect { try desk.job(asked) } throws: { ($0 as? Problem)?.code == "app.no_report" }
        try desk.say(AppRemoved.self, AppRemovedBody(app: HostingDesk.app))
        #expect { try desk.job(asked) } throws: { ($0 as? Problem)?.code == "app.not_installed" }
    }

    @Test(
        "The worker receives the reason why a report may not be made"
    )
    func reasons() throws {
        var desk = try desk(.denied)
        func code() throws -> String? {
            try desk.bench.refusal(ReportRender.self, .init(app: HostingDesk.app, context: "total"))?.code
        }
        desk.bench.companion = { _, body in
            let refusal = try RenderCall.Request.decodedBody(body).refusal
            return try RenderCall.Reply(problem: refusal).encodedBody()
        }
        #expect(try code() == "auth.unauthorized")
        try desk.say(AppRemoved.self, AppRemovedBody(app: HostingDesk.app))
        #expect(try code() == "app.not_installed")
    }
}

import STContracts
import STPlatform
import Synchronization

/// Services with a household of answers, and what they were asked.
final class ReportAnswers: Sendable {
    let asked = Mutex<[(route: String, body: [UInt8])]>([])
    let apps = Mutex<[String: [String]]>([:])
    let page = Mutex<Page?>(nil)
    private let house = ReportHouse()

    func last<R: Route>(_ route: R.Type) throws -> R.Request? {
        try asked.withLock { $0.last { $0.route == R.name }?.body }.map { try R.Request.decodedBody($0) }
    }

    func answer(_ route: String, _ body: [UInt8]) throws -> [UInt8] {
        asked.withLock { $0.append((route, body)) }
        switch route {
        case ReportUsage.name: return try house.answer(.decodedBody(body)).encodedBody()
        case ReportCoverage.name: return try house.coverage.encodedBody()
        case DesktopStatus.name:
            return try DesktopStatus.Reply(
                source: "scripted",
                reason: Message(verbatim: ""),
                seen: 1,
                waiting: 0
            )
            .encodedBody()
        case MemberList.name:
            let members = ["parent", "teen", "kid"].map { Member(name: $0, role: .child) }
            return try MemberList.Reply(
                device: Device(id: "d1", name: "Desk"),
                members: members
            ).encodedBody()
        case UsageList.name: return try UsageList.Reply(rows: house.rows, next: nil).encodedBody()
        case UsageNow.name: return try UsageNow.Reply(open: []).encodedBody()
        case AppList.name: return try appList().encodedBody()
        case ReportContexts.name:
            let app = try ReportContexts.Request.decodedBody(body).app
            if app == "slow" { throw Problem("report.timed_out", "The report of slow took too long.") }
            return try ReportContexts.Reply(app: app, contexts: apps.withLock { $0[app] ?? [] })
                .encodedBody()
        case ReportRender.name:
            let request = try ReportRender.Request.decodedBody(body)
            return try ReportRender.Reply(
                report: "r",
                app: request.app,
                context: request.context,
                pieces: 2,
                bytes: 9,
                tookMs: 1
            ).encodedBody()
        case ReportPiece.name:
            let request = try ReportPiece.Request.decodedBody(body)
            let bytes = try page.withLock { $0 }?.encodedBody() ?? []
            let half = bytes.count / 2
            let part = request.piece == 0 ? bytes[..<half] : bytes[half...]
            return try ReportPiece.Reply(bytes: Base64.encode(Array(part)), isLast: request.piece == 1)
                .encodedBody()
        default: throw Problem("route.not_found", verbatim: "There is no \(route).")
        }
    }

    private func appList() -> AppList.Reply {
        AppList.Reply(
            apps: apps.withLock { $0.keys.sorted() }.map { id in
                InstalledApp(
                    manifest: AppManifest(
                        id: id,
                        name: id,
                        version: "1",
                        protocolVersion: 1,
                        entitlements: [],
                        groups: [],
                        extensions: [
                            ManifestExtension(
                                point: ExtensionPoint.report.rawValue,
                                executable: "/x",
                                protocolVersion: 1,
                                entitlements: []
                            )
                        ]
                    ),
                    bundle: "/x",
                    installedAt: "x"
                )
            },
            next: nil
        )
    }
}

import STContracts
import STPlatform

/// Makes a report, once or again and again.
struct ReportMaker {
    private let clients: ServiceClients
    private let invocation: Invocation
    private let clock: LocalClock
    /// The app whose report it is, where it is one's.
    private let app: String?

    /// Looks for the app of a report only once.
    init(_ options: ReportOptions, _ invocation: Invocation, _ clients: ServiceClients, _ clock: LocalClock)
        async throws
    {
        self.clients = clients
        self.invocation = invocation
        self.clock = clock
        switch options.subject {
        case .scene: app = nil
        case .app(let context, let named):
            app = try await AppReports.app(offering: context, named: named, of: options.member, clients)
        }
    }

    /// The options are read anew each time: today is another day after midnight.
    func make(nowMs: Int64) async throws -> MadeReport {
        let options = try ReportOptions(invocation, nowMs: nowMs, clock)
        switch options.subject {
        case .app(let context, _):
            let page = try await AppReports.page(app ?? "", context, options, clients)
            return MadeReport(source: .app(app ?? "", context: context, page), options: options)
        case .scene(let scene):
            let asking = ReportAsking(clients: clients, scene: scene, options: options, clock: clock)
            let material = try await asking.material(nowMs: nowMs)
            let device = try ReportNamesCheck.device(options.device, material.coverage, options.line)
            let input = SceneInput(
                language: options.pageLanguage,
                clock: clock,
                period: options.period,
                nowMs: nowMs,
                key: options.key,
                top: options.top ?? scene.top,
                compares: options.compares,
                member: options.member,
                device: device,
                material: material
            )
            return MadeReport(source: .scene(scene, input), options: options)
        }
    }
}

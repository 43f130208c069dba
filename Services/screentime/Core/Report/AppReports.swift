import STContracts
import STPlatform
import STRendering

/// Reports of apps: finds the app of a report and requests its page.
enum AppReports {
    /// The app determines how long its extension takes.
    private static let contextsTimeout: Duration = .seconds(10)
    private static let renderTimeout: Duration = .seconds(30)

    /// Returns the app that has a report of this name. Throws if there is none, or more than one.
    static func app(
        offering context: String,
        named app: String?,
        of member: String?,
        _ clients: ServiceClients
    ) async throws -> String {
        if let app {
            try await NameCheck.checkApp(app, clients)
            let known = try await clients.call(
                ReportContexts.self,
                .init(app: app, member: member),
                timeout: contextsTimeout
            ).contexts
            guard known.contains(context) else {
                throw unknown(context, [Offer(app: app, contexts: known)], app: app)
            }
            return app
        }
        let offers = try await offers(to: member, clients)
        let apps = offers.filter { $0.contexts.contains(context) }.map(\.app)
        guard let first = apps.first else {
            // The app with this report may be the one that did not reply.
            throw offers.lazy.compactMap(\.problem).first ?? unknown(context, offers, app: nil)
        }
        guard apps.count == 1 else {
            let list = apps.joined(separator: ", ")
            throw Problem(
                "usage.which_app",
                """
                \(apps.count, "count") apps have a report “\(context, "context")”: \(list, "apps"). Choose \
                one with --app.
                """,
                help: "screentime report --context \(context) --app \(first)"
            )
        }
        return first
    }

    /// The reports of an app, or the reason why it did not reply.
    private struct Offer: Sendable {
        var app: String
        var contexts: [String] = []
        var problem: Problem?
    }

    private static func offers(to member: String?, _ clients: ServiceClients) async throws -> [Offer] {
        let apps = try await clients.installedApps().map(\.manifest).filter { manifest in
            manifest.extensions.contains { $0.point == ExtensionPoint.report.rawValue }
        }.map(\.id)
        return await withTaskGroup(of: Offer.self) { group in
            for app in apps {
                group.addTask {
                    let answer = await clients.result(
                        ReportContexts.self,
                        .report,
                        request: .init(app: app, member: member),
                        timeout: contextsTimeout
                    )
                    switch answer {
                    case .success(let reply): return Offer(app: app, contexts: reply.contexts)
                    case .failure(let problem): return Offer(app: app, problem: problem)
                    }
                }
            }
            var offers: [Offer] = []
            for await offer in group { offers.append(offer) }
            return offers.sorted { $0.app < $1.app }
        }
    }

    private static func unknown(_ context: String, _ offers: [Offer], app: String?) -> Problem {
        let builtIn = app == nil ? ReportTemplate.allCases.map(\.rawValue) : []
        let near = TextFormat.closest(to: context, in: builtIn + offers.flatMap(\.contexts))
        let theirs = offers.filter { !$0.contexts.isEmpty }.map { offer in
            let contexts = offer.contexts.joined(separator: ", ")
            return Speech.say("report.of-an-app", "\(contexts, "reports") of \(offer.app, "app")")
        }
        let known = (builtIn.isEmpty ? [] : [builtIn.joined(separator: ", ")]) + theirs
        let list = known.joined(separator: "; ").sanitized
        return Problem(
            "usage.unknown_context",
            text: near.map {
                Message(
                    "usage.unknown_context.did-you-mean",
                    """
                    There is no report “\(context.sanitized, "context")”. Did you mean \($0.sanitized, "near")? \
                    The reports are: \(list, "reports").
                    """
                )
            }
                ?? (list.isEmpty
                    ? Message(
                        "usage.unknown_context.none",
                        "There is no report “\(context.sanitized, "context")”, and no other report is available."
                    )
                    : Message(
                        "usage.unknown_context.the-reports-are",
                        "There is no report “\(context.sanitized, "context")”. The reports are: \(list, "reports")."
                    )),
            help: near.map { "screentime report --context \($0)" } ?? "screentime help report"
        )
    }

    // MARK: - Pages

    static func page(
        _ app: String,
        context: String,
        options: ReportOptions,
        clients: ServiceClients
    ) async throws -> Page {
        let request = ReportRender.Request(
            app: app,
            member: options.member,
            context: context,
            filter: ReportFilter(
                segment: options.segment,
                fromWallMs: options.period.from.ms,
                toWallMs: options.period.to.ms,
                applications: [],
                categories: [],
                webDomains: []
            ),
            language: options.language
        )
        let made = try await clients.call(ReportRender.self, request, timeout: renderTimeout)
        let page = try await ReportPiece.all(of: made) { try await clients.call(ReportPiece.self, $0) }
        // The page comes from an app's code, so it is checked here even if another service has checked it.
        try PageCheck.check(page)
        return page
    }
}

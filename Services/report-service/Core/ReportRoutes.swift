package import STContracts
package import STEngine
import STPlatform
package import STStore

/// The routes for the figures.
enum ReportRoutes {
    static let figures: [ServiceRoute<ReportState>] = [
        .query(ReportDay.self) { state, request, context, database in
            try state.requireFigures()
            return try DayReport.day(request, state: state, context: context, database: database)
        },
        .query(ReportUsage.self) { state, request, context, database in
            try state.requireFigures()
            return try UsageReport.usage(request, state: state, context: context, database: database)
        },
        .query(ReportCoverage.self) { state, _, context, database in
            try CoverageReport.coverage(state, context: context, database: database)
        },
        .query(ReportRebuild.self) { _, _, context, _ in
            guard let reply = try context.prepared.reply(ReportRebuild.self) else {
                throw Problem(
                    "unavailable",
                    "The figures cannot be rebuilt at the moment. Try again.",
                    key: "unavailable.the-figures-cannot",
                    retryable: true
                )
            }
            return reply
        }
        .after(
            .of(ReportRebuild.self, source: .worker, for: ReportRebuild.self) { _, request, _ in request }
        ),
    ]
}

/// The routes for apps: data for their filters, and reports of their extensions.
package struct HostingHandlers: Sendable {
    let figures: ReportFigures

    var routes: [ServiceRoute<ReportState>] {
        [data, render, contexts, piece] + OutputRoutes.all(ReportLog.self)
    }

    // MARK: - What a filter matches

    private var data: ServiceRoute<ReportState> {
        .query(ReportData.self) { _, _, context, _ in
            let asked = try context.prepared.reply(DataQuery.self)
            if let problem = asked?.problem { throw problem }
            guard let data = asked?.data else { throw Self.extensionsNotAsked }
            return data
        }
        .after(
            .of(AuthCheck.self, source: .service(.auth), for: ReportData.self) { _, request, _ in
                try ReportFilterCheck.check(request.filter)
                try ReportFilterCheck.check(language: request.language)
                return AuthCheck.Request(
                    app: request.app,
                    member: request.member,
                    tokens: Self.tokens(request.filter)
                )
            },
            .of(DataQuery.self, source: .worker, for: ReportData.self) { _, request, answers in
                let word = try Self.authorization(answers)
                try Self.require(word.authorization)
                try Self.checkKinds(word.items, request.filter)
                return DataQuery.Request(
                    data: request,
                    member: word.authorization.member,
                    items: word.items
                )
            }
        )
    }

    private static func tokens(_ filter: ReportFilter) -> [String] {
        filter.applications + filter.categories + filter.webDomains
    }

    private static func checkKinds(_ items: [TokenItem], _ filter: ReportFilter) throws {
        let wanted =
            filter.applications.indices.map { (TokenKind.application, "/filter/applications/\($0)") }
            + filter.categories.indices.map { (TokenKind.category, "/filter/categories/\($0)") }
            + filter.webDomains.indices.map { (TokenKind.domain, "/filter/web_domains/\($0)") }
        guard items.count == wanted.count else {
            throw Problem(
                "token.unknown",
                "auth-service did not report what the tokens represent.",
                key: "token.unknown.auth-service-has-not",
                field: "/filter"
            )
        }
        for (item, (kind, field)) in zip(items, wanted) where item.kind != kind {
            throw Problem(
                "report.wrong_kind",
                """
                This token is of the kind \(item.kind.rawValue, "kind"), but the kind \
                \(kind.rawValue, "kind2") is required here.
                """,
                field: field
            )
        }
    }

    private static func authorization(_ answers: PreparedReplies) throws -> AuthCheck.Reply {
        guard let word = try answers.reply(AuthCheck.self) else {
            throw Problem(
                "unavailable",
                "auth-service has not yet reported who may see this. Try again in a moment.",
                key: "unavailable.auth-service-has",
                retryable: true
            )
        }
        return word
    }

    private static func require(_ word: Authorization) throws {
        if let problem = ReportPermission.problem(word) { throw problem }
    }

    // MARK: - Reports of apps

    private var render: ServiceRoute<ReportState> {
        .query(ReportRender.self) { _, _, context, _ in
            let asked = try context.prepared.reply(RenderCall.self)
            if let problem = asked?.problem { throw problem }
            guard let made = asked?.made else { throw Self.extensionsNotAsked }
            return made
        }
        .after(
            .of(AuthCheck.self, source: .service(.auth), for: ReportRender.self) { _, request, _ in
                try ReportFilterCheck.check(context: request.context)
                try ReportFilterCheck.check(language: request.language)
                if let filter = request.filter { try ReportFilterCheck.check(filter) }
                let tokens = request.filter.map(Self.tokens) ?? []
                return AuthCheck.Request(app: request.app, member: request.member, tokens: tokens)
            },
            .of(RenderCall.self, source: .worker, for: ReportRender.self) { state, request, answers in
                let word = try Self.authorization(answers)
                let refusal = ReportPermission.refusal(word.authorization, state.apps)
                if refusal == nil, let filter = request.filter { try Self.checkKinds(word.items, filter) }
                return RenderCall.Request(
                    app: request.app,
                    member: word.authorization.member,
                    context: request.context,
                    filter: request.filter,
                    language: request.language,
                    refusal: refusal
                )
            }
        )
    }

    private var contexts: ServiceRoute<ReportState> {
        .query(ReportContexts.self) { _, request, context, _ in
            let asked = try context.prepared.reply(RenderCall.self)
            if let problem = asked?.problem { throw problem }
            guard let contexts = asked?.contexts else { throw Self.extensionsNotAsked }
            return ReportContexts.Reply(app: request.app, contexts: contexts)
        }
        .after(
            .of(AuthCheck.self, source: .service(.auth), for: ReportContexts.self) { _, request, _ in
                AuthCheck.Request(app: request.app, member: request.member, tokens: [])
            },
            .of(RenderCall.self, source: .worker, for: ReportContexts.self) { state, request, answers in
                let word = try Self.authorization(answers).authorization
                let refusal = ReportPermission.refusal(word, state.apps)
                return RenderCall.Request(app: request.app, member: word.member, refusal: refusal)
            }
        )
    }

    private var piece: ServiceRoute<ReportState> {
        .query(ReportPiece.self) { _, _, context, _ in
            let asked = try context.prepared.reply(PieceQuery.self)
            if let problem = asked?.problem { throw problem }
            guard let piece = asked?.piece else { throw Self.extensionsNotAsked }
            return piece
        }
        .after(
            .of(PieceQuery.self, source: .worker, for: ReportPiece.self) { state, request, _ in
                PieceQuery.Request(piece: request, generation: state.generation)
            }
        )
    }

    private static let extensionsNotAsked = Problem(
        "unavailable",
        "App extensions are not available at the moment. Try again.",
        key: "unavailable.the-extensions-of",
        retryable: true
    )

    // MARK: - Steps of the companion

    /// Returns the data that a filter matches, before its things have tokens.
    package func data(
        _ request: DataQuery.Request,
        state: ReportState,
        context: RequestContext,
        database: Database
    ) throws -> ReportData.Reply {
        var pages = try DataPages(
            figures,
            request: request,
            state: state,
            context: context,
            database: database
        )
        return try pages.page()
    }

    /// Returns the extension to call for a report, with its parameters.
    package func job(_ request: RenderCall.Request, state: ReportState, context: RequestContext) throws
        -> RenderJob
    {
        try Self.job(request, devices: figures.devices(state), state: state, context: context)
    }

    private static func job(
        _ request: RenderCall.Request,
        devices: [ReportDevice],
        state: ReportState,
        context: RequestContext
    ) throws -> RenderJob {
        let apps = state.apps
        guard let app = apps.installed[request.app], let member = request.member else {
            throw ReportPermission.notInstalled(request.app, apps)
        }
        guard let executable = app.executable else {
            throw Problem(
                "app.no_report",
                """
                \(app.name, "name") has no report extension. Add one under `extensions` in its \
                manifest.json, with the point \(ExtensionPoint.report.rawValue, "report").
                """,
                field: "/app",
                help: "screentime app install FOLDER"
            )
        }
        var filter: ReportFilter?
        var people = [member]
        if request.context != nil {
            let asked = request.filter ?? ReportFilterCheck.today(context.now, zone: context.zone)
            try state.requireFigures()
            people = try ReportPlan(asked, app: request.app, asked: member, devices: devices, apps).members
            filter = asked
        }
        return RenderJob(
            app: request.app,
            name: app.name,
            member: member,
            executable: executable,
            bundle: app.bundle,
            zone: context.zone,
            context: request.context,
            filter: filter,
            language: request.language,
            people: people,
            generation: state.generation
        )
    }
}

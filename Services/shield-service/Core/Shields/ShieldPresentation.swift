package import STContracts
package import STEngine
import STPlatform
import STStore

/// Shields as people see them: their looks, their history and their buttons.
package struct ShieldPresentation: Sendable {
    /// The language for requests that name none.
    private let language: String

    package init(language: String) { self.language = language }

    private static let textBytesMax = 256

    var routes: [ServiceRoute<ShieldState>] {
        [
            .write(
                ShieldConfigurationAsk.self,
                reading: { $0 },
                after: ShieldAppearanceCall.self,
                of: .worker
            ) {
                .init(member: $0.member, subject: $0.subject, language: $0.language, app: $0.app)
            } _: { state, request, asked, context, _ in
                let question = ShieldAppearanceCall.Request(
                    member: request.member,
                    subject: request.subject,
                    language: request.language,
                    app: request.app
                )
                let drawing = try drawing(question, state: state, context: context)
                return .init(decision: drawing.verdict.decision, view: drawing.view(asked?.answer))
            },
            .write(ShieldShow.self, reading: { $0 }, after: ShieldAppearanceCall.self, of: .worker) {
                .init(member: $0.member, subject: $0.subject, language: $0.language)
            } _: { state, request, asked, context, change in
                try show(request, answer: asked?.answer, state: state, context: context, change: change)
            },
            .write(ShieldPress.self, reading: { $0 }, after: PressCall.self, of: .worker) {
                $0
            } _: { state, request, asked, context, change in
                try press(request, asked: asked, state: &state, context: context, change: change)
            }
            .after(
                // Only members of the household can request more time.
                .of(MemberList.self, source: .service(.auth), for: ShieldPress.self) { _, _, answers in
                    try answers.reply(PressCall.self)?.isForMore == true ? Empty() : nil
                }
            ),
            .query(ShieldList.self) { _, request, _, database in try ShieldHistory.list(request, database) },
        ]
    }

    // MARK: - Looks

    package func appearanceRequest(
        _ request: ShieldAppearanceCall.Request,
        state: ShieldState,
        context: RequestContext
    ) throws
        -> ShieldAppearanceRequest
    {
        try drawing(request, state: state, context: context).appearanceRequest
    }

    private func drawing(_ request: ShieldAppearanceCall.Request, state: ShieldState, context: RequestContext)
        throws
        -> ShieldDrawing
    {
        try Self.check(request.subject)
        try Self.check(request.language, "/language")
        try Self.check(request.app, "/app")
        return try ShieldDrawing(
            try state.verdict(
                of: request.subject,
                member: request.member,
                context.now,
                zone: context.zone
            ),
            subject: request.subject,
            as: request.app,
            language: request.language ?? language,
            apps: state.apps
        )
    }

    private static func check(_ subject: ShieldSubject) throws {
        guard subject.app != nil || subject.domain != nil else {
            throw Problem(
                "shield.no_subject",
                "Name an app, a site, or both.",
                key: "shield.no_subject.name-an-app",
                field: "/subject"
            )
        }
        try check(subject.app, "/subject/app")
        try check(subject.domain, "/subject/domain")
    }

    private static func check(_ text: String?, _ field: String) throws {
        guard let text else { return }
        guard !text.isEmpty, text.utf8.count <= textBytesMax else {
            throw Problem(
                "body.invalid",
                "The value must have 1 to \(textBytesMax, "bytes") bytes.",
                key: "body.invalid.this-has-1",
                field: field
            )
        }
    }

    // MARK: - Shown

    private func show(
        _ request: ShieldShow.Request,
        answer: ShieldAppearanceResult?,
        state: ShieldState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> ShieldShow.Reply {
        try Self.check(request.agent, "/agent")
        try Self.check(request.segment, "/segment")
        let question = ShieldAppearanceCall.Request(
            member: request.member,
            subject: request.subject,
            language: request.language
        )
        let drawing = try drawing(question, state: state, context: context)
        let verdict = drawing.verdict
        guard verdict.decision.isShielded else {
            return .init(policy: verdict.policy, decision: verdict.decision)
        }
        let view = drawing.view(answer)
        // An agent can report a shield late, but never one in the future.
        let wallMs = min(max(0, request.wallMs ?? context.now.wallMs), context.now.wallMs)
        let named = drawing.named
        let shown = ShownShield(
            shield: Identifier.make(wallMs: context.now.wallMs),
            member: verdict.member,
            subject: request.subject,
            category: verdict.category,
            policy: verdict.policy,
            causes: named.causes,
            more: named.more,
            segment: request.segment,
            shownAt: RFC3339.text(wallMs: wallMs),
            wallMs: wallMs
        )
        let hasOwnButtons = Self.hasOwnButtons(view, state)
        let record = ShieldRecord(
            shown: shown,
            app: view.app,
            hasOwnButtons: hasOwnButtons,
            target: hasOwnButtons ? drawing.target : drawing.targetWithOffers,
            buttons: ShieldRecord.buttons(of: view.look)
        )
        try ShieldHistory.insert(record, change.database)
        try change.emit(ShieldShown.self, subject: shown.shield, shown)
        return .init(
            policy: verdict.policy,
            decision: verdict.decision,
            shield: shown.shield,
            view: view
        )
    }

    // MARK: - Buttons

    /// Returns true if presses go to the app.
    ///
    /// An app with an action extension but no configuration extension also handles the buttons of the system's look.
    private static func hasOwnButtons(_ view: ShieldAppearanceView, _ state: ShieldState) -> Bool {
        let extensions = state.apps.installed[view.app]
        return view.source == .app || extensions?.action != nil && extensions?.configuration == nil
    }

    /// Begins a press. Every attempt makes the same call, so that the app's requests within it take effect once.
    package static func begin(
        _ request: ShieldPress.Request,
        state: ShieldState,
        change: StoreTransaction
    )
        throws -> PressStart
    {
        var record = try ShieldHistory.find(request.shield, change.database)
        let look = ShieldAppearanceCall.Request(
            member: record.shown.member,
            subject: record.shown.subject,
            language: request.language
        )
        guard try !record.isAnswered(request) else { return .init(look: look, isForMore: false) }
        record.attempt = request.press == record.press ? record.attempt + 1 : 1
        record.press = request.press
        record.shown.button = request.button
        try ShieldHistory.begin(record, change.database)
        // The system handles its own buttons, but an app may need to know that a person leaves.
        guard record.hasOwnButtons || request.button == .primary,
            let executable = state.apps.installed[record.app]?.action
        else { return .init(look: look, isForMore: !record.hasOwnButtons && request.button != .primary) }
        let job = PressJob(
            app: record.app,
            member: record.shown.member,
            executable: executable,
            bundle: state.apps.installed[record.app]?.bundle,
            target: record.target,
            call: "\(record.shown.shield)/\(request.press)",
            attempt: record.attempt
        )
        return .init(job: job, look: look, isForMore: false)
    }

    private func press(
        _ request: ShieldPress.Request,
        asked: PressCall.Reply?,
        state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> ShieldPress.Reply {
        var record = try ShieldHistory.find(request.shield, change.database)
        try context.check(isOf: record.shown.member)
        if try record.isAnswered(request), let answer = record.answer { return answer }
        try Self.check(request.language, "/language")
        // Leaving a shield needs no reply if the app has no action extension.
        let isLeaving = request.button == .primary && state.apps.installed[record.app]?.action == nil
        guard asked != nil || isLeaving else { throw Self.appNotAsked }
        record.press = request.press
        record.shown.button = request.button
        var reply = try answer(
            request,
            record: record,
            asked: asked,
            state: &state,
            context: context,
            change: change
        )
        if reply.response == .defer {
            let question = ShieldAppearanceCall.Request(
                member: record.shown.member,
                subject: record.shown.subject,
                language: request.language
            )
            let drawing = try drawing(question, state: state, context: context)
            // If the shield was lifted in the meantime, there is nothing to draw.
            if drawing.verdict.decision.isShielded {
                let view = drawing.view(asked?.look)
                reply.view = view
                record.hasOwnButtons = Self.hasOwnButtons(view, state)
                record.buttons = ShieldRecord.buttons(of: view.look)
            }
        }
        record.shown.response = reply.response
        record.answer = reply
        try ShieldHistory.finish(record, change.database)
        try change.emit(ShieldShown.self, subject: record.shown.shield, record.shown)
        return reply
    }

    private func answer(
        _ request: ShieldPress.Request,
        record: ShieldRecord,
        asked: PressCall.Reply?,
        state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> ShieldPress.Reply {
        if let response = asked?.response { return .init(response: response, problem: asked?.problem) }
        // A person can always leave a shield, even if its app does not reply.
        let fallback: ShieldResponse = request.button == .primary ? .close : .none
        if let problem = asked?.problem { return .init(response: fallback, problem: problem) }
        guard request.button != .primary else { return .init(response: .close) }
        guard record.hasOwnButtons else {
            guard asked?.isForMore == true else { return .init(response: fallback, problem: Self.notAsked) }
            return try Self.requestMoreTime(
                record,
                button: request.button,
                state: &state,
                context: context,
                change: change
            )
        }
        return .init(
            response: fallback,
            problem: Problem(
                "app.no_shield_action",
                "\(record.app, "app") has no shield-action extension, so its button does nothing.",
                details: ["app": record.app]
            )
        )
    }

    /// Requests more time: the second button of the system's own look, or a line of its menu.
    private static func requestMoreTime(
        _ record: ShieldRecord,
        button: ShieldButton,
        state: inout ShieldState,
        context: RequestContext,
        change: StoreTransaction
    ) throws -> ShieldPress.Reply {
        var target = record.target
        // Request the app or site itself, even if its whole category is shielded.
        target.category = nil
        let shown = record.shown
        let offers =
            try target.offers
            ?? state.verdict(of: shown.subject, member: shown.member, context.now, zone: context.zone).offers
        let offer = zip(ShieldButton.menu, offers).first { $0.0 == button }?.1 ?? .quarter
        let request = RequestAdd.Request(
            member: record.shown.member,
            items: target.items,
            durationMs: offer.duration(context.now.wall, zone: context.zone).ms,
            shield: record.shown.shield
        )
        do {
            _ = try RequestHandlers.update(&state, context: context, change: change) { book in
                try RequestAdding.add(request, context, to: &book)
            }
            return ShieldPress.Reply(response: .defer)
        } catch let problem as Problem where problem.code.hasPrefix("request.") {
            // The shield stays as it is and shows the reason.
            return ShieldPress.Reply(response: .none, problem: problem)
        }
    }

    private static let appNotAsked = Problem(
        "unavailable",
        "Screen Time cannot reach the app of this shield at the moment. Press the button again.",
        key: "unavailable.the-app-that",
        retryable: true
    )

    private static let notAsked = Problem(
        "unavailable",
        "You cannot ask for more time here at the moment. Use `screentime request add` instead.",
        key: "unavailable.more-time-cannot",
        retryable: true,
        help: "screentime request add --help"
    )
}

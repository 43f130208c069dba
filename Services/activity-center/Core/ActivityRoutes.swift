import STContracts
import STEngine
import STFollowing
import STPlatform

/// The routes of the ledger, of the history and of activities.
enum ActivityRoutes {
    /// `agents`: the agents that may report, or empty for all agents of this account.
    static func all(_ agents: Set<String>) -> [ServiceRoute<ActivityState>] {
        usage(agents) + records + [clock, history, loss] + monitoringRoutes + displayRoutes
    }

    private static func usage(_ agents: Set<String>) -> [ServiceRoute<ActivityState>] {
        [
            .write(UsageObserve.self) { state, request, context, change in
                try ActivityRules.advance(&state, context: context, change: change)
                return try UsageLedger.observe(
                    request,
                    agents: agents,
                    isProtected: state.limits.isProtected,
                    state: &state,
                    context: context,
                    change: change
                )
            },
            .read(UsagePreview.self) { state, request, context in
                try UsageLedger.preview(request, state, home: context.bootID)
            },
            .query(UsageList.self) { state, request, _, database in
                try LedgerListing.page(request, state: state, database: database)
            },
            .query(UsageSegment.self) { state, request, context, database in
                let found = try LedgerListing.find(request, state: state, database: database)
                if let member = found.segment?.member { try context.check(isOf: member) }
                return found
            },
            .read(UsageNow.self) { state, _, context in
                UsageNow.Reply(
                    open: state.timelines.values.flatMap(\.open).filter { context.concerns($0.member) }
                        .sorted { ($0.startBootMs, $0.segment) < ($1.startBootMs, $1.segment) },
                    agents: state.agents.sorted { $0.key < $1.key }
                        .map { UsageAgent(agent: $0.key, firstWallMs: $0.value.ms) },
                    devices: state.devices.isEmpty ? nil : state.devices
                )
            },
            .query(UsageVerify.self) { _, request, _, database in
                try LedgerCheck.page(request, database)
            },
            links,
            .query(UsageNotifications.self) { state, request, _, database in
                try NotificationTable.page(request, state: state, database: database)
            },
        ]
    }

    /// Imports and deletes usage.
    private static let records: [ServiceRoute<ActivityState>] = [
        .write(UsageImport.self) { state, request, context, change in
            try LedgerImport.importRows(request, state: &state, context: context, change: change)
        }
        .after(
            .guardian(for: UsageImport.self, Message("purpose.import", "import usage"), { $0.proof }) {
                state,
                asked,
                _ in
                guard asked.dryRun != true else { return nil }
                let named = Set(
                    asked.rows.map(\.member) + asked.notifications.map(\.member) + [asked.member ?? ""]
                )
                return state.household.members.first { $0.role == .child && named.contains($0.name) }?
                    .name
            }
        ),
        .write(UsageForget.self) { state, request, context, change in
            let by = try context.prepared.guardian()
            return try LedgerDeletion.delete(request, by: by, state: &state, change: change)
        }
        .after(
            .guardian(
                for: UsageForget.self,
                Message("purpose.delete-records", "delete records"),
                { $0.proof }
            ) { state, asked, _ in
                // Deleting usage that was imported for a child requires a guardian, as the import did.
                let owner = state.household.owner
                let named = [owner, asked.imported == nil ? nil : asked.member].compactMap(\.self)
                return named.first { state.household.role(of: $0) == .child }
            }
        ),
    ]

    private static let clock = ServiceRoute<ActivityState>.write(UsageAcceptClock.self) { _, _, context, _ in
        guard let proof = try context.prepared.reply(AuthProve.self) else {
            throw Problem(
                "unavailable",
                "The service did not send the required request to auth-service. Try again.",
                key: "unavailable.auth-service-was",
                retryable: true
            )
        }
        if let refusal = proof.refusal { return UsageAcceptClock.Reply(byMs: 0, refusal: refusal) }
        return UsageAcceptClock.Reply(byMs: try context.acceptClock())
    }
    .after(
        .of(AuthProve.self, source: .service(.auth), for: UsageAcceptClock.self) { state, asked, _ in
            try proof(
                by: asked.by,
                passcode: asked.passcode,
                purpose: Message("purpose.accept-clock", "accept the clock of this computer"),
                state: state
            )
        }
    )

    private static let links = ServiceRoute<ActivityState>.query(UsageLinks.self) { _, request, _, database in
        let usage = try LedgerTable.links(through: request.rows[LinkedRecord.usage.rawValue], database)
        let history = try HistoryLog.links(
            through: request.rows[LinkedRecord.history.rawValue],
            database
        )
        return UsageLinks.Reply(
            links: usage.map { $0.link(of: .usage) } + history.map { $0.link(of: .history) }
        )
    }

    private static let history = ServiceRoute<ActivityState>.query(HistoryList.self) {
        state,
        request,
        _,
        database in
        try HistoryLog.page(request, state: state, database: database)
    }

    private static let loss = ServiceRoute<ActivityState>.write(HistoryAcceptLoss.self) {
        state,
        request,
        context,
        change in
        guard let proof = try context.prepared.reply(AuthProve.self) else {
            throw Problem(
                "unavailable",
                "The service did not send the required request to auth-service. Try again.",
                key: "unavailable.auth-service-was",
                retryable: true
            )
        }
        if let refusal = proof.refusal { return HistoryAcceptLoss.Reply(accepted: 0, refusal: refusal) }
        return HistoryAcceptLoss.Reply(
            accepted: try state.history.accept(why: request.why, by: proof.by, change)
        )
    }
    .after(
        .of(AuthProve.self, source: .service(.auth), for: HistoryAcceptLoss.self) { state, asked, _ in
            guard !asked.why.isEmpty, asked.why.utf8.count <= HistoryLine.textBytesMax,
                asked.why.isPlain
            else {
                throw Problem(
                    "history.bad_reason",
                    """
                    Give a reason for accepting the loss, in 1 to \(HistoryLine.textBytesMax, "bytes") bytes \
                    without control characters.
                    """,
                    field: "/why"
                )
            }
            return try proof(
                by: asked.by,
                passcode: asked.passcode,
                purpose: Message("purpose.accept-loss", "accept the loss of records"),
                state: state
            )
        }
    )

    /// Returns the request for a guardian's passcode on a child's computer, or for the owner's otherwise.
    private static func proof(by: String?, passcode: String?, purpose: Message, state: ActivityState)
        throws
        -> AuthProve.Request
    {
        let child = state.household.members.first { $0.role == .child }?.name
        guard let member = child ?? state.household.owner else { throw Household.memberRequiredProblem }
        return AuthProve.Request(member: member, by: by, passcode: passcode, purpose: purpose)
    }

    private static var monitoringRoutes: [ServiceRoute<ActivityState>] {
        [
            .write(ActivityStart.self, reading: { $0 }, after: AuthCheck.self, of: .service(.auth)) {
                request in
                AuthCheck.Request(
                    app: request.app,
                    member: request.member,
                    tokens: ActivityCheck.tokens(of: request.events)
                )
            } _: { state, request, checked, context, change in
                try ActivityRules.start(
                    request,
                    checked: checked,
                    state: &state,
                    context: context,
                    change: change
                )
            },
            .write(ActivityStop.self) { state, request, context, change in
                try ActivityRules.stop(request, state: &state, context: context, change: change)
            },
        ]
    }

    private static var displayRoutes: [ServiceRoute<ActivityState>] {
        [
            .query(ActivityList.self) { state, request, context, _ in
                try ActivityViews.list(request, state, now: context.now.wall)
            },
            .read(ActivityShow.self) { state, request, context in
                let found = ActivityViews.find(
                    request.app,
                    member: request.member,
                    activity: request.activity,
                    state: state
                )
                return ActivityShow.Reply(
                    activity: found.map { ActivityViews.view($0, now: context.now.wall) }
                )
            },
            .read(ActivityEvents.self) { state, request, _ in
                let found = ActivityViews.find(
                    request.app,
                    member: request.member,
                    activity: request.activity,
                    state: state
                )
                return ActivityEvents.Reply(events: found?.events.map(\.spec) ?? [])
            },
            .read(ActivityPreview.self) { state, request, context in
                try ActivityViews.preview(
                    request,
                    state.limits,
                    now: context.now.wall,
                    zone: context.zone
                )
            },
            .query(ActivityExplain.self) { state, request, context, database in
                try ActivityExplainer.explain(request, state: state, context: context, database: database)
            },
        ]
    }
}

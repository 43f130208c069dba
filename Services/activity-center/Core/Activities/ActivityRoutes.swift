import STContracts
import STEngine
import STPlatform

/// The routes of what is watched.
enum ActivityRoutes {
    static func all(_ limits: ActivityLimits) -> [ServiceRoute<ActivityState>] {
        writing(limits) + reading(limits)
    }

    private static func writing(_ limits: ActivityLimits) -> [ServiceRoute<ActivityState>] {
        [
            .write(ActivityStart.self, after: AuthCheck.self, of: .auth) { request in
                // Rules are the person's own, made with our own command: nobody needs to be asked.
                if request.app == ActivityLimits.rulesApp { return nil }
                return AuthCheck.Request(
                    app: request.app,
                    member: request.member,
                    tokens: ActivityCheck.tokens(of: request.events)
                )
            } _: { state, request, checked, context, change in
                try ActivityRules.start(request, checked, &state, context, change, limits)
            },
            .write(ActivityStop.self) { state, request, context, change in
                try ActivityRules.stop(request, &state, context, change)
            },
        ]
    }

    private static func reading(_ limits: ActivityLimits) -> [ServiceRoute<ActivityState>] {
        [
            .query(ActivityList.self) { state, request, context, _ in
                try ActivityViews.list(request, state, nowMs: context.now.wallMs)
            },
            .read(ActivityShow.self) { state, request, context in
                let found = ActivityViews.find(request.app, request.member, request.activity, state)
                return ActivityShow.Reply(
                    activity: found.map { ActivityViews.view($0, nowMs: context.now.wallMs) }
                )
            },
            .read(ActivityEvents.self) { state, request, _ in
                let found = ActivityViews.find(request.app, request.member, request.activity, state)
                return ActivityEvents.Reply(events: found?.events.map(\.spec) ?? [])
            },
            .read(ActivityPreview.self) { _, request, context in
                try ActivityViews.preview(
                    request,
                    limits,
                    nowMs: context.now.wallMs,
                    zone: context.zone
                )
            },
            .query(ActivityExplain.self) { state, request, context, database in
                try ActivityExplaining.explain(request, state, context.now, database)
            },
        ]
    }
}

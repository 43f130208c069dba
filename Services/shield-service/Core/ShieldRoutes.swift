import STContracts
import STDomain
import STEngine
import STFollowing
import STPlatform

/// The routes of shield-service, except those for shields that people see (`ShieldPresentation`).
enum ShieldRoutes {
    static let all = settings + decisions + requestRoutes + decisionRoutes + codes + rules

    // MARK: - Stores and settings

    private static let settings: [ServiceRoute<ShieldState>] = [
        .read(SettingsGet.self) { state, request, _ in try SettingsViews.get(request, state) },
        .read(SettingsList.self) { state, request, _ in try SettingsViews.list(request, state) },
        .read(SettingsEffective.self) { state, request, _ in try SettingsViews.effective(request, state) },
        .write(SettingsSet.self, reading: SettingsChange.init, after: AuthCheck.self, of: .service(.auth)) {
            wanted in
            let (request, tokens) = (wanted.request, wanted.tokens)
            // A rule belongs to the person, who makes it with this project's own command. It needs no permission.
            if request.app == BuiltInRules.app, tokens.isEmpty { return nil }
            return AuthCheck.Request(app: request.app, member: request.member, tokens: tokens)
        } _: { state, wanted, checked, context, change in
            try SettingsRules.set(wanted, checked: checked, state: &state, context: context, change: change)
        },
        .write(SettingsClear.self) { state, request, context, change in
            try SettingsRules.clear(request, state: &state, context: context, change: change)
        },
        .write(SettingsDelete.self) { state, request, context, change in
            try SettingsRules.delete(request, state: &state, context: context, change: change)
        },
    ]

    // MARK: - What is shielded and why

    private static let decisions: [ServiceRoute<ShieldState>] = [
        .read(ShieldDecide.self) { state, request, context in
            let member = try state.household.member(request.member)
            let subject = try SubjectCheck.subject(request.subject)
            let found = state.decide(subject, member: member, at: context.now.wall)
            return ShieldDecide.Reply(
                member: member,
                policy: state.policy.number,
                category: found.category,
                decision: ShieldDecisionBody(found.decision),
                lifts: state.waysToLift(found.decision),
                untilWallMs: state.policy.members[member]?.nextGrantEndMs(after: context.now.wallMs)
            )
        },
        .query(ShieldExplain.self) { state, request, context, database in
            try ShieldExplainer.explain(request, state: state, context: context, database: database)
        },
        .read(ShieldAllowed.self) { state, request, _ in
            let member = try state.household.member(request.member)
            return ShieldAllowed.Reply(
                policy: state.policy.number,
                member: member,
                items: state.allowed[member] ?? []
            )
        },
    ]

    // MARK: - Requests for more time

    private typealias Ready = Preparation<ShieldState>

    private static let requestRoutes: [ServiceRoute<ShieldState>] = [
        .write(RequestAdd.self) { state, request, context, change in
            let (made, notes) = try RequestHandlers.update(&state, context: context, change: change) { book in
                try RequestAdding.add(request, context, to: &book)
            }
            // A rule without a delay has already granted the request.
            let now = state.requests.requests[made.number] ?? made
            return RequestAdd.Reply(request: now.view, notes: notes)
        }
        .after(
            Ready.of(MemberList.self, source: .service(.auth), for: RequestAdd.self) { _, request, _ in
                _ = try RequestCheck.checked(request)
                return Empty()
            }
        ),
        .query(RequestList.self) { state, request, _, _ in
            let wanted = try request.state?.required("/state")
            let found = state.requests.requests.values.filter {
                (request.member == nil || $0.member == request.member)
                    && (wanted == nil || $0.state == wanted)
            }
            let newest = found.sorted { $0.number > $1.number }
            let page = try OffsetPage.slice(newest.map(\.view), next: request.next)
            return RequestList.Reply(requests: page.rows, next: page.next)
        },
        .write(RequestRevoke.self) { state, request, context, change in
            let known = try RequestHandlers.update(&state, context: context, change: change) { book in
                try RequestAnswering.revoke(request.request, context, in: &book)
            }
            return RequestAnswered(request: known.view)
        },
    ]

    private static let decisionRoutes: [ServiceRoute<ShieldState>] = [
        .write(RequestApprove.self) { state, request, context, change in
            try RequestHandlers.answer(&state, context: context, change: change) { book in
                try RequestAnswering.approve(request, context, in: &book)
            }
        }
        .after(
            Ready.of(AuthProve.self, source: .service(.auth), for: RequestApprove.self) { state, asked, _ in
                if let length = asked.durationMs { try RequestCheck.duration(.milliseconds(length)) }
                return RequestAnswering.proof(
                    asked.request,
                    by: asked.by,
                    passcode: asked.passcode,
                    purpose: { Message("purpose.approve", "approve \($0, "request")") },
                    book: state.requests
                )
            }
        ),
        .write(RequestGrant.self) { state, request, context, change in
            try RequestHandlers.update(&state, context: context, change: change) { book in
                try RequestAnswering.grant(request, context, in: &book)
            }
        }
        .after(
            Ready.of(AuthProve.self, source: .service(.auth), for: RequestGrant.self) { _, asked, _ in
                _ = try RequestAnswering.checked(asked)
                return AuthProve.Request(
                    member: asked.member,
                    by: asked.by,
                    passcode: asked.passcode,
                    purpose: Message("purpose.give-time", "give time to \(asked.member, "member")"),
                    byGuardian: true
                )
            },
            Ready.of(MemberList.self, source: .service(.auth), for: RequestGrant.self) { _, _, _ in Empty() }
        ),
        .write(RequestDeny.self) { state, request, context, change in
            try RequestHandlers.answer(&state, context: context, change: change) { book in
                try RequestAnswering.deny(request, context, in: &book)
            }
        }
        .after(
            Ready.of(AuthProve.self, source: .service(.auth), for: RequestDeny.self) { state, asked, _ in
                _ = try RequestCheck.words(asked.because, "/because")
                return RequestAnswering.proof(
                    asked.request,
                    by: asked.by,
                    passcode: asked.passcode,
                    purpose: { Message("purpose.deny", "deny \($0, "request")") },
                    book: state.requests
                )
            }
        ),
    ]

    private static let codes: [ServiceRoute<ShieldState>] = [
        .write(RequestCode.self) { state, request, context, change in
            try RequestHandlers.answer(&state, context: context, change: change) { book in
                try OfflineCodes.answer(request, context: context, change: change, in: &book)
            }
        },
        .write(RequestCodeSetup.self) { state, request, context, change in
            try RequestHandlers.update(&state, context: context, change: change) { book in
                try OfflineCodes.setUp(request, context, in: &book)
            }
        }
        .after(
            Ready.of(MemberList.self, source: .service(.auth), for: RequestCodeSetup.self) { _, _, _ in
                Empty()
            },
            Ready.of(AuthProve.self, source: .service(.auth), for: RequestCodeSetup.self) {
                _,
                asked,
                answers in
                try OfflineCodes.proof(asked, answers)
            }
        ),
    ]

    private static let rules: [ServiceRoute<ShieldState>] = [
        .read(RequestRuleShow.self) { state, request, context in
            try RequestRules.show(request, context: context, book: state.requests)
        }
        .after(
            Ready.of(MemberList.self, source: .service(.auth), for: RequestRuleShow.self) { _, _, _ in Empty()
            }
        ),
        .write(RequestRuleSet.self) { state, request, context, change in
            try RequestHandlers.update(&state, context: context, change: change) { book in
                try RequestRules.set(request, context, in: &book)
            }
        }
        .after(
            Ready.of(MemberList.self, source: .service(.auth), for: RequestRuleSet.self) { _, _, _ in Empty()
            },
            Ready.of(RuleDelay.self, source: .service(.activity), for: RequestRuleSet.self) {
                state,
                asked,
                answers in
                try RequestRules.delay(asked, answers: answers, book: state.requests)
            },
            Ready.of(AuthProve.self, source: .service(.auth), for: RequestRuleSet.self) {
                state,
                asked,
                answers in
                try RequestRules.proof(asked, answers: answers, book: state.requests)
            }
        ),
    ]
}

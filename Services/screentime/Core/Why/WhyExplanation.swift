import STContracts
import STPlatform

/// The explanation of `screentime why`: the reasons why something is or is not shielded.
struct WhyExplanation: WireBody, Codable, Equatable {
    var subject: String
    /// A sentence that states if the subject is shielded.
    var headline: String = ""
    var isNow: Bool
    var explained: ShieldExplain.Reply
    var chains: [WhyChain]
    /// The steps of the last time at which the shield was shown, with the observation at that time.
    var shown: [WhyStep]
    /// The budgets to which the subject contributes, if nothing shields it.
    var budgets: [WhyBudget]
}

/// The history of one cause of a shield, from the first observation to the shield.
struct WhyChain: WireBody, Codable, Equatable {
    /// The kind of the first event of the chain.
    enum Origin: String, Codable {
        /// An observation of the desktop.
        case observation
        /// A moment in time, without usage.
        case clock
        /// A person's command or button.
        case person
        /// The earlier events are so old that they were deleted.
        case forgotten
    }

    var cause: ShieldCauseBody
    /// The cause as a sentence.
    var text: String
    var origin: Origin
    var steps: [WhyStep]
}

/// One step from an observation to a shield.
struct WhyStep: WireBody, Codable, Equatable {
    enum Kind: String, Codable {
        /// An observation of the desktop.
        case observation
        /// The beginning or end of an interval, or a used-up budget.
        case occasion
        /// The extension or rule that was called.
        case callback
        /// The store that changed, and the resulting policy.
        case setting
        /// A person's action: a command, a button, or a permission.
        case person
        /// The display of the shield.
        case shown
    }

    var kind: Kind
    var wallMs: Int64
    var text: String
    /// Details for people who examine Screen Time itself.
    var detail: String? = nil
    /// The id of a delivery, a segment or a policy, for further lookups.
    var id: String?
}

/// A budget to which the subject contributes, and its progress.
struct WhyBudget: WireBody, Codable, Equatable {
    var app: String
    var activity: String
    var event: String
    /// The budget's name for people.
    var name: String
    var countedMs: Int64
    var thresholdMs: Int64
    /// The subject's own part of `countedMs`.
    var ownMs: Int64
}

/// Follows the recorded causes from a shield back to the observations.
struct WhyExplainer: Sendable {
    var sources: WhySources

    /// Returns the chain of a cause. `pressed` is the id of the last shield with a pressed button.
    ///
    /// Settings that the app's action set after that button have this id as their cause.
    func chain(_ explained: ExplainedCause, thing: String, pressed: String? = nil) async -> WhyChain {
        let cause = explained.cause
        let change = explained.change
        let owner = await owner(cause)
        var steps = [
            WhyStep(
                kind: .setting,
                wallMs: change.wallMs,
                text: Speech.say(
                    "why.of-policy",
                    """
                    \(change.route, "route") of \(cause.app, "app")/\(cause.store, "store"): policy \
                    \(change.policy, "policy")
                    """
                ),
                id: String(change.policy)
            )
        ]
        var origin = WhyChain.Origin.person
        if let id = change.cause, let made = await sources.delivery(id) {
            steps.insert(Self.callback(made), at: 0)
            steps.insert(Self.occasion(made.occurrence), at: 0)
            if let seen = await observation(of: made.occurrence) {
                steps.insert(seen, at: 0)
                origin = .observation
            } else {
                origin = Self.isForgotten(made.occurrence) ? .forgotten : .clock
            }
        } else if change.cause != nil, change.cause != pressed, change.app != BuiltInRules.app {
            // The recorded cause no longer exists.
            origin = .forgotten
        } else {
            steps.insert(
                WhyStep(
                    kind: .person,
                    wallMs: change.wallMs,
                    text: Self.person(change, owner, pressed: pressed),
                    id: change.cause
                ),
                at: 0
            )
        }
        return WhyChain(
            cause: cause,
            text: WhyStrings.sentence(cause, owner: owner, thing: thing),
            origin: origin,
            steps: steps
        )
    }

    /// Returns the observation at the time of a shield, and the display of the shield.
    func shown(_ shield: ShownShield) async -> [WhyStep] {
        let request = UsageSegment.Request(
            segment: shield.segment,
            member: shield.member,
            wallMs: shield.wallMs
        )
        var steps: [WhyStep] = []
        if let segment = await sources.segment(request)?.segment {
            steps.append(await observed(segment))
        }
        let pressed = shield.button.map { Self.button($0) }
        let button = pressed.map { Speech.say("why.was-pressed", "; \($0, "button") was pressed") } ?? ""
        steps.append(
            WhyStep(
                kind: .shown,
                wallMs: shield.wallMs,
                text: Speech.say(
                    "why.the-shield-went-up",
                    "the shield was shown to \(shield.member, "member")\(button, "button")"
                ),
                id: shield.shield
            )
        )
        return steps
    }

    private static func button(_ button: ShieldButton) -> String {
        switch button {
        case .primary: Speech.say("why.its-first-button", "its first button")
        case .secondary: Speech.say("why.its-second-button", "its second button")
        case .firstSubmenu, .secondSubmenu, .thirdSubmenu, .fourthSubmenu:
            Speech.say("why.a-line-of-its", "an item in its menu")
        case .unknown: Speech.say("why.a-button", "a button")
        }
    }

    // MARK: - Steps

    private func owner(_ cause: ShieldCauseBody) async -> String {
        guard cause.app == BuiltInRules.app else {
            return Speech.say("why.store", "\(cause.app, "app") (store \(cause.store, "store"))")
        }
        let name = await sources.ruleName(cause.store)
        return name.map { Speech.say("why.the-rule-2", "the rule \($0, "rule")") }
            ?? Speech.say("why.a-rule-that-no", "a rule that no longer exists (\(cause.store, "store"))")
    }

    /// Returns the last usage that counted. If there is none, returns the foreground app at the time of the occurrence.
    private func observation(of occurrence: ActivityOccurrence) async -> WhyStep? {
        var request = UsageSegment.Request(member: occurrence.member, wallMs: occurrence.dueWallMs)
        if let last = occurrence.evidence.parts.last {
            request = .init(segment: last.segment, member: occurrence.member, wallMs: last.startWallMs)
        }
        guard let segment = await sources.segment(request)?.segment else { return nil }
        return await observed(segment)
    }

    private func observed(_ segment: Segment) async -> WhyStep {
        let app =
            if let id = segment.app { await sources.appName(id) } else {
                Speech.say("why.the-desktop", "the desktop")
            }
        return WhyStep(
            kind: .observation,
            wallMs: segment.startWallMs,
            text: WhyStrings.foregroundText(segment, app: app),
            detail: Speech.say(
                "why.seen-by-observation",
                "recorded by \(segment.agent, "agent"), observation \(segment.sequence, "sequence")"
            ),
            id: segment.segment
        )
    }

    private static func occasion(_ occurrence: ActivityOccurrence) -> WhyStep {
        WhyStep(
            kind: .occasion,
            wallMs: occurrence.dueWallMs,
            text: WhyStrings.occasion(occurrence),
            id: nil
        )
    }

    private static func callback(_ made: MonitorDelivery.Reply) -> WhyStep {
        let view = made.delivery
        let event = view.event.map { " (\($0))" } ?? ""
        return WhyStep(
            kind: .callback,
            wallMs: RFC3339.wallMs(view.queuedAt) ?? view.dueWallMs,
            text: Speech.say(
                "why.of-in",
                """
                \(view.delivery, "delivery"): \(view.method, "method") of \(view.activity, "activity")\(event, "event") \
                in \(view.app, "app")
                """
            ),
            id: view.delivery
        )
    }

    /// True if the person deleted the counted usage, or if it is older than the retention period.
    private static func isForgotten(_ occurrence: ActivityOccurrence) -> Bool {
        (occurrence.evidence.countedMs ?? 0) > 0 && occurrence.evidence.parts.isEmpty
    }

    private static func person(_ change: StoreChange, _ owner: String, pressed: String?) -> String {
        if let pressed, change.cause == pressed {
            return Speech.say("why.a-button-of-its", "a button on its shield was pressed")
        }
        if change.app == BuiltInRules.app {
            return Speech.say("why.was-added-or-changed", "\(owner, "owner") was added or changed")
        }
        if change.route.hasPrefix("settings.") {
            return Speech.say(
                "why.set-by-itself-outside",
                "set by \(owner, "owner") itself, outside any callback"
            )
        }
        let reason = change.reason.map { " (\($0))" } ?? ""
        return Speech.say("why.because-of", "because of \(change.route, "route")\(reason, "reason")")
    }
}

/// The data of the services about the causes of a shield, requested when needed.
///
/// A part that was deleted, or whose service does not run, is `nil`. The explanation continues without it.
struct WhySources: Sendable {
    var delivery: @Sendable (_ id: String) async -> MonitorDelivery.Reply?
    var segment: @Sendable (_ request: UsageSegment.Request) async -> UsageSegment.Reply?
    /// Returns the name of a built-in rule by its id.
    var ruleName: @Sendable (_ id: String) async -> String?
    /// Returns the name of an app for people.
    var appName: @Sendable (_ id: String) async -> String = { $0 }

    static func live(_ clients: ServiceClients, _ invocation: Invocation) -> WhySources {
        WhySources(
            delivery: { try? await clients.call(MonitorDelivery.self, .init(id: $0)) },
            segment: { try? await clients.call(UsageSegment.self, $0) },
            ruleName: { id in
                guard let rules = try? await RuleListCommand.all(clients) else { return nil }
                return rules.first { $0.id == id }?.rule.name
            },
            appName: { id in
                await DisplayNames.load([id], invocation: invocation, clients: clients)[id]
            }
        )
    }
}

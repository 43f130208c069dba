import STContracts
import STPlatform

/// Follows the causes that were written down, from a shield back to what was seen.
struct WhyTeller: Sendable {
    var sources: WhySources

    /// `pressed` is the last shield with a button pressed: what its app's action set has that as its cause.
    func chain(_ explained: ExplainedCause, thing: String, pressed: String? = nil) async -> WhyChain {
        let cause = explained.cause
        let change = explained.change
        let owner = await owner(cause)
        var steps = [
            WhyStep(
                kind: .setting,
                wallMs: change.wallMs,
                text: "\(change.route) of \(cause.app)/\(cause.store): policy \(change.policy)",
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
            // Something led to it, and nobody remembers what.
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
            text: WhyWords.sentence(cause, owner: owner, thing: thing),
            origin: origin,
            steps: steps
        )
    }

    /// The shield that was shown, and what was seen at that moment.
    func shown(_ shield: ShownShield) async -> [WhyStep] {
        let request = UsageSegment.Request(
            segment: shield.segment,
            member: shield.member,
            wallMs: shield.wallMs
        )
        var steps: [WhyStep] = []
        if let segment = await sources.segment(request)?.segment {
            steps.append(Self.observed(segment, WhyWords.front(segment)))
        }
        let button = shield.button.map { "; \($0.rawValue) was pressed" } ?? ""
        steps.append(
            WhyStep(
                kind: .shown,
                wallMs: shield.wallMs,
                text: "the shield went up before \(shield.member)\(button)",
                id: shield.shield
            )
        )
        return steps
    }

    // MARK: - Steps

    private func owner(_ cause: ShieldCauseBody) async -> String {
        guard cause.app == BuiltInRules.app else { return "\(cause.app) (store \(cause.store))" }
        let name = await sources.ruleName(cause.store)
        return name.map { "the rule \($0)" } ?? "a rule that is gone by now (\(cause.store))"
    }

    /// The one at whose moment something was told: the last that counted, or what was in front then.
    private func observation(of occurrence: ActivityOccurrence) async -> WhyStep? {
        var request = UsageSegment.Request(member: occurrence.member, wallMs: occurrence.dueWallMs)
        if let last = occurrence.evidence.parts.last {
            request = .init(segment: last.segment, member: occurrence.member, wallMs: last.startWallMs)
        }
        guard let segment = await sources.segment(request)?.segment else { return nil }
        return Self.observed(segment, WhyWords.front(segment))
    }

    private static func observed(_ segment: Segment, _ text: String) -> WhyStep {
        WhyStep(
            kind: .observation,
            wallMs: segment.startWallMs,
            text: "\(text); seen by \(segment.agent), observation \(segment.sequence)",
            id: segment.segment
        )
    }

    private static func occasion(_ occurrence: ActivityOccurrence) -> WhyStep {
        WhyStep(
            kind: .occasion,
            wallMs: occurrence.dueWallMs,
            text: WhyWords.occasion(occurrence),
            id: nil
        )
    }

    private static func callback(_ made: MonitorDelivery.Reply) -> WhyStep {
        let view = made.delivery
        let event = view.event.map { " (\($0))" } ?? ""
        return WhyStep(
            kind: .callback,
            wallMs: RFC3339.wallMs(view.queuedAt) ?? view.dueWallMs,
            text: "\(view.delivery): \(view.method) of \(view.activity)\(event) in \(view.app)",
            id: view.delivery
        )
    }

    /// What counted was forgotten by its person's wish, or is beyond what is kept.
    private static func isForgotten(_ occurrence: ActivityOccurrence) -> Bool {
        (occurrence.evidence.countedMs ?? 0) > 0 && occurrence.evidence.parts.isEmpty
    }

    private static func person(_ change: StoreChange, _ owner: String, pressed: String?) -> String {
        if let pressed, change.cause == pressed { return "a button of its shield was pressed" }
        if change.app == BuiltInRules.app { return "\(owner) was added or changed" }
        if change.route.hasPrefix("settings.") {
            return "asked for by \(owner) itself, outside of any callback"
        }
        return "because of \(change.route)" + (change.reason.map { " (\($0))" } ?? "")
    }
}

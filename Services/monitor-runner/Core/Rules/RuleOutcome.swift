package import STContracts

/// What a callback does to a rule: whom to tell what, and what the rule remembers of it.
///
/// Pure. The same delivery leads to the same again, so it may be tried as often as it takes.
package struct RuleOutcome: Sendable, Equatable {
    package var rule: Rule
    package var posts: [NotifyPost.Request] = []

    /// A pause that nobody listens through keeps only the last few.
    static let heldMax = 20

    init(_ rule: Rule, _ occurrence: ActivityOccurrence, delivery: String, _ words: NoticeWords) {
        self.rule = rule
        if rule.spec.kind == .goal, occurrence.occasion == .thresholdReached,
            RuleClosing.isReached(occurrence, rule)
        {
            self.rule.metStartMs = occurrence.interval.startWallMs
        }
        let closed = RuleClosing.after(occurrence, rule, delivery: delivery)
        self.rule.closed = closed.isEmpty ? nil : closed
        guard let notice = RuleNotice.of(rule, occurrence, words) else { return }
        let post = NotifyPost.Request(
            app: BuiltInRules.app,
            member: occurrence.member,
            id: delivery,
            title: notice.title,
            body: notice.body,
            cause: delivery
        )
        // By the moment it is about and not by the one it is told at, so that trying again changes nothing.
        guard rule.isPaused(atWallMs: occurrence.dueWallMs) else {
            posts = [post]
            return
        }
        guard notice.isLasting, !rule.held.contains(where: { $0.post.id == delivery }) else { return }
        self.rule.held.append(HeldNotice(post: post, untilMs: occurrence.interval.endWallMs))
        if self.rule.held.count > Self.heldMax { self.rule.held.removeFirst() }
    }
}

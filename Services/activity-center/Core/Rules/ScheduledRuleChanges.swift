import STContracts
import STEngine
import STPlatform
import STRules

/// Stores changes that loosen a rule, and applies them when they are due.
enum ScheduledRuleChanges {
    // MARK: - Requests of people

    static func add(
        _ spec: RuleSpec,
        for member: Member,
        _ context: RequestContext,
        to book: inout RuleState
    ) throws -> Rule {
        var rule = try RuleEditing.add(spec, for: member, context, to: &book)
        guard RuleLoosening.isAdditionLooser(rule.spec),
            let change = schedule(.add, rule: rule, context: context, book: book)
        else { return rule }
        rule.waiting = change
        book.rules[rule.id] = rule
        return rule
    }

    static func edit(_ edit: RuleEdit.Request, _ context: RequestContext, in book: inout RuleState) throws
        -> Rule
    {
        var old = try RuleEditing.existing(edit.name, in: book)
        var changed = book
        var new = try RuleEditing.edit(edit, context, in: &changed)
        let isLooser = RuleLoosening.isLooser(from: old.spec, to: new.spec)
        if old.waiting?.kind == .add {
            // An edit never brings the start forward. A loosening edit restarts the wait.
            if isLooser, let change = schedule(.add, rule: new, context: context, book: book) {
                new.waiting = change
            }
            changed.rules[new.id] = new
            book = changed
            return new
        }
        if isLooser, let change = schedule(.edit, rule: old, context: context, book: book, spec: new.spec) {
            old.waiting = change
            book.rules[old.id] = old
            return old
        }
        // A request for the rule as it is, or a stricter one, cancels the waiting change.
        new.waiting = nil
        changed.rules[new.id] = new
        book = changed
        return new
    }

    /// Removes a rule, or lets the removal wait. Returns nil if the rule was removed immediately.
    static func remove(_ rule: Rule, _ context: RequestContext, in book: inout RuleState) -> Rule? {
        guard rule.isInEffect, RuleLoosening.isRemovalLooser(rule.spec),
            let change = schedule(.remove, rule: rule, context: context, book: book)
        else {
            book.rules[rule.id] = nil
            return nil
        }
        book.rules[rule.id]?.waiting = change
        return book.rules[rule.id]
    }

    static func pause(_ request: RulePause.Request, _ context: RequestContext, in book: inout RuleState)
        throws
        -> Rule
    {
        let old = try RuleEditing.existing(request.name, in: book)
        let now = context.now.wall
        var changed = book
        var new = try RuleEditing.pause(request, context, in: &changed)
        let until = new.pausedUntil ?? now
        let length = Duration.milliseconds(request.forMs)
        if old.isLoosened(byPauseUntil: until, now: now),
            let change = schedule(.pause, rule: old, context: context, book: book, for: length)
        {
            book.rules[old.id]?.waiting = change
            return book.rules[old.id] ?? old
        }
        if new.waiting?.kind == .pause { new.waiting = nil }
        changed.rules[new.id] = new
        book = changed
        return new
    }

    /// Returns the change that has to wait, or nil if the member has no delay.
    private static func schedule(
        _ kind: ScheduledChange.Kind,
        rule: Rule,
        context: RequestContext,
        book: RuleState,
        spec: RuleSpec? = nil,
        for length: Duration? = nil
    ) -> ScheduledChange? {
        let delayMs = book.delays[rule.member]?.delayMs ?? 0
        guard delayMs > 0 else { return nil }
        let change = ScheduledChange(
            kind,
            spec: spec,
            for: length,
            asked: context.now.wall,
            moment: StableDeadline(afterMs: delayMs, from: context.now, bootID: context.bootID),
            by: try? context.prepared.reply(AuthProve.self)?.by
        )
        if kind != .add, let known = rule.waiting, known.isSame(as: change) { return known }
        return change
    }

    // MARK: - Due changes

    static func due(_ book: RuleState, bootID: String) -> Deadlines {
        var due = Deadlines()
        func add(_ wait: StableDeadline?) {
            guard let wait else { return }
            due = due.merged(with: wait.startDeadlines(bootID: bootID)).merged(
                with: wait.updateDeadlines(bootID: bootID)
            )
        }
        for rule in book.rules.values {
            add(rule.waiting?.moment)
            // A session lasts for a fixed elapsed time. Setting the clock forward does not end it sooner.
            add(rule.ends)
            guard let pause = rule.pauseEnds else { continue }
            due = due.merged(with: pause.endDeadlines(bootID: bootID)).merged(
                with: pause.updateDeadlines(bootID: bootID)
            )
        }
        for delay in book.delays.values { add(delay.nextFrom) }
        return due
    }

    /// Ends pauses, sessions and breaks that are over. Saves the remaining time of the others, and of waiting changes.
    private static func updateDeadlines(_ now: TimeReading, _ bootID: String, in book: inout RuleState) {
        for (id, rule) in book.rules {
            if let pause = rule.pauseEnds {
                if pause.isOver(now, bootID: bootID) {
                    book.rules[id]?.pausedUntilMs = min(rule.pausedUntilMs ?? now.wallMs, now.wallMs)
                    book.rules[id]?.pauseEnds = nil
                } else if pause.updateDeadlines(bootID: bootID).isDue(at: now) {
                    book.rules[id]?.pauseEnds?.update(now, bootID: bootID)
                }
            }
            if let ends = rule.ends {
                if ends.isReached(now, bootID: bootID) {
                    guard rule.spec.kind == .break else {
                        book.rules[id] = nil
                        continue
                    }
                    book.rules[id]?.endBreak()
                } else if ends.updateDeadlines(bootID: bootID).isDue(at: now) {
                    book.rules[id]?.ends?.updateStart(now, bootID: bootID)
                }
            }
            if rule.waiting?.moment.updateDeadlines(bootID: bootID).isDue(at: now) == true {
                book.rules[id]?.waiting?.moment.updateStart(now, bootID: bootID)
            }
        }
        for (member, delay) in book.delays
        where delay.nextFrom?.updateDeadlines(bootID: bootID).isDue(at: now) == true {
            book.delays[member]?.nextFrom?.updateStart(now, bootID: bootID)
        }
    }

    /// Applies the changes that are due. Drops and returns those that can no longer be applied.
    static func apply(_ context: RequestContext, in book: inout RuleState) -> [DroppedChange] {
        for (member, delay) in book.delays {
            guard let nextMs = delay.nextMs,
                delay.nextFrom?.isReached(context.now, bootID: context.bootID) == true
            else { continue }
            book.delays[member] = MemberDelay()
            book.delays[member]?.delayMs = nextMs
        }
        defer { updateDeadlines(context.now, context.bootID, in: &book) }
        var dropped: [DroppedChange] = []
        for rule in book.sorted {
            guard let change = rule.waiting, change.moment.isReached(context.now, bootID: context.bootID)
            else {
                continue
            }
            do {
                try apply(change, to: rule, context, in: &book)
            } catch {
                let problem = Problem(error)
                book.rules[rule.id]?.waiting = nil
                dropped.append(.init(rule: rule.id, problem: problem))
            }
        }
        return dropped
    }

    private static func apply(
        _ change: ScheduledChange,
        to rule: Rule,
        _ context: RequestContext,
        in book: inout RuleState
    ) throws {
        switch change.kind {
        case .add: book.rules[rule.id]?.waiting = nil
        case .remove: book.rules[rule.id] = nil
        case .pause:
            book.rules[rule.id]?.waiting = nil
            // The pause begins now and not when it was due, so that time in which the computer was off does not shorten it.
            book.rules[rule.id]?.pause(
                for: .milliseconds(change.forMs ?? 0),
                context.now,
                bootID: context.bootID
            )
        case .edit:
            guard let spec = change.spec else { return }
            _ = try RuleEditing.replace(rule, by: spec, context, in: &book)
            book.rules[rule.id]?.waiting = nil
        }
    }
}

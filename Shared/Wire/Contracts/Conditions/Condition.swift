package import STPlatform

/// An unhealthy state of this computer, with an explanation and a remedy.
package struct Condition: WireBody, Codable, Equatable {
    package var code: ConditionCode
    package var severity: ConditionSeverity
    package var title: Message
    package var text: Message
    /// The command or action that corrects the state. `nil` if there is none.
    package var remedy: Message?

    package init(_ code: ConditionCode, _ text: Message, remedy: Message? = nil) {
        self.code = code
        severity = code.severity
        title = code.title
        self.text = text
        self.remedy = remedy
    }

    /// The explanation and the remedy.
    package func fullText(in language: DisplayLanguage) -> String {
        [text, advice].compactMap { $0?.text(in: language) }.joined(separator: " ")
    }

    /// The remedy as a sentence.
    package var advice: Message? {
        remedy.map { $0.key.isEmpty ? Message("condition.run", "Run: \($0, "command")") : $0 }
    }

    package static let notRunning = Condition(
        .notRunning,
        Message(
            "doctor.screen-time-is-not",
            "Screen Time is not running, so it counts nothing and enforces no rules."
        ),
        remedy: Message(verbatim: "screentime system up")
    )

    /// Returns `nil` if `losses`, the descriptions of the missing records, is empty.
    package static func recordsMissing(_ losses: [Message]) -> Condition? {
        guard let loss = losses.first else { return nil }
        return Condition(
            .recordsMissing,
            losses.count > 1
                ? Message("doctor.more-is-missing", "\(loss, "loss") More records are missing.") : loss,
            remedy: losses.count > 1
                ? Message(
                    "condition.list-losses",
                    "To list all missing records, run `screentime history`. \(restore, "restore")"
                )
                : restore
        )
    }

    private static let restore = Message(
        "data.put-a-backup-back",
        """
        Restore a backup with `screentime data restore FOLDER`, or accept the loss with \
        `screentime data accept-loss REASON`.
        """
    )

    /// Returns `nil` while desktop-agent observes the whole desktop.
    package static func desktop(_ answer: Result<DesktopStatus.Reply, Problem>) -> Condition? {
        switch answer {
        case .success(let status) where status.observesNothing:
            let reason =
                status.reason.english.isEmpty
                ? Message("command.no-source-of-observations", "No source of observations.")
                : status.reason
            return unobserved(reason, remedy: status.wayOut)
        case .success(let status):
            return status.wayOut.map { desktopLimited(status.reason, remedy: $0) }
        case .failure(let problem):
            return agentUnreachable(problem.text, remedy: problem.help.map { Message(verbatim: $0) })
        }
    }

    /// `reason` explains in whole sentences why desktop-agent does not reply.
    package static func agentUnreachable(_ reason: Message, remedy: Message?) -> Condition {
        Condition(
            .desktopUnobserved,
            Message("condition.nothing-is-observed", "Screen Time observes nothing: \(reason, "problem")"),
            remedy: remedy
        )
    }

    package static func unobserved(_ reason: Message, remedy: Message?) -> Condition {
        Condition(
            .desktopUnobserved,
            Message(
                "condition.cannot-see",
                "Screen Time cannot see anything on this screen. \(reason, "reason")"
            ),
            remedy: remedy
        )
    }

    package static func desktopLimited(_ reason: Message, remedy: Message) -> Condition {
        let text = Message(
            "condition.desktop-limited-text",
            "Parts of Screen Time do not work on this desktop. \(reason, "reason")"
        )
        return Condition(.desktopLimited, text, remedy: remedy)
    }

    /// Returns `nil` while Screen Time follows the clock.
    package static func clock(asideMs: Int64?) -> Condition? {
        guard let asideMs, asideMs != 0 else { return nil }
        let length = MessageValue.duration(ms: abs(asideMs) / 1_000 * 1_000)
        return Condition(
            .clockIgnored,
            asideMs > 0
                ? Message(
                    "system.the-clock-was-set-forward",
                    """
                    The clock of this computer was set forward by \(length, "length"), and is not synchronised. \
                    Screen Time uses the elapsed time instead.
                    """
                )
                : Message(
                    "system.the-clock-was-set-back",
                    """
                    The clock of this computer was set back by \(length, "length"), and is not synchronised. \
                    Screen Time uses the elapsed time instead.
                    """
                ),
            remedy: Message(
                "condition.accept-the-clock",
                "If the clock is right, run: screentime system clock --accept"
            )
        )
    }

    package static func failed(_ service: String, _ problem: Problem, remedy: Message) -> Condition {
        Condition(
            .serviceFailed,
            Message(
                "doctor.service-has-problem",
                "\(service, "service") reports a problem: \(problem.text, "problem")"
            ),
            remedy: problem.help.map { Message(verbatim: $0) } ?? remedy
        )
    }

    /// `reason` explains in whole sentences why the service does not reply.
    package static func unreachable(_ service: String, _ reason: Message, remedy: Message) -> Condition {
        Condition(
            .serviceSilent,
            Message("condition.service-reason", "\(service, "service"): \(reason, "reason")"),
            remedy: remedy
        )
    }

    /// Returns `nil` while a desktop shows notifications, or while a setting turns them off.
    package static func notifications(_ desktop: NotifyDesktop?) -> Condition? {
        guard let desktop, desktop.state == .absent else { return nil }
        let text = Message(
            "notification.no-desktop-shows-notifications",
            "No desktop is available to show notifications."
        )
        return Condition(
            .notificationsHidden,
            desktop.note.map { Message("condition.text-note", "\(text, "text") \($0, "note")") } ?? text,
            remedy: Message(
                "condition.follow-notifications",
                "To see notifications in a terminal, run: screentime notification list --follow"
            )
        )
    }

    package static func uncertain(_ count: Int64) -> Condition? {
        guard count > 0 else { return nil }
        return Condition(
            .notificationsUncertain,
            Message(
                "condition.maybe-not-seen",
                count: Int(clamping: count),
                one: "\(count, "count") notification may not have been seen.",
                other: "\(count, "count") notifications may not have been seen."
            ),
            remedy: Message(
                "condition.list-uncertain",
                "To list them, run: screentime notification list --state uncertain"
            )
        )
    }

    /// Returns `nil` while the household is connected, and on a computer without a household.
    ///
    /// `silentMs` is the time since the household last replied, or since link-service started.
    package static func household(_ link: LinkShow.Reply, silentMs: Int64) -> Condition? {
        guard !link.isConnected, link.state == .joined || link.state == .refused else { return nil }
        if link.state == .refused {
            return link.problem.map { problem in
                Condition(
                    .householdUnreachable,
                    problem.text,
                    remedy: problem.help.map { Message(verbatim: $0) }
                )
            }
        }
        guard silentMs >= ConditionCode.householdUnreachable.shownAfterMs else { return nil }
        let text = Message(
            "household.this-machine-belongs-to-the-household",
            """
            This machine belongs to the household at \(link.address ?? "", "address"), but is not \
            connected. It keeps working and sends its usage when it reconnects.
            """
        )
        return Condition(
            .householdUnreachable,
            link.problem.map { Message("condition.text-note", "\(text, "text") \($0.text, "note")") } ?? text,
            remedy: link.problem?.help.map { Message(verbatim: $0) }
        )
    }
}

extension DesktopStatus.Reply {
    package var observesNothing: Bool { isBlind == true || source == "none" }
}

extension HistoryLine {
    /// The state that this line of the history reports. `nil` for lines that report no unhealthy state.
    package var condition: ConditionCode? {
        switch what {
        case .lost: .recordsMissing
        case .fileSaved, .fileChanged, .fileRebuilt, .unreadable: .recordsDamaged
        case .clockSet: .clockIgnored
        default: nil
        }
    }
}

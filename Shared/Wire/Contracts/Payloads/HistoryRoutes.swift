package import STPlatform

/// The kinds of lines in the history.
package enum HistoryKind: String, WireEnum {
    /// Events that another service has received are missing.
    case lost
    case lossAccepted = "loss_accepted"
    /// Another program removed or replaced a database while its service was running. The service saved the database.
    case fileSaved = "file_saved"
    /// A service created its database. If that database is lost, this line is missing and reveals the loss to activity-center.
    case begun
    /// A database was changed, replaced or removed while its service was not running.
    case fileChanged = "file_changed"
    /// A damaged database was moved aside, and its content is being rebuilt.
    case fileRebuilt = "file_rebuilt"
    case restored
    case started, stopped
    /// Nothing was observed although the computer was running.
    case gap
    /// An account is in use, and no agent observes its screen.
    case unseen
    /// desktop-agent was stopped or killed while the account was in use.
    case agentStopped = "agent_stopped"
    case clockSet = "clock_set"
    case clockFollowed = "clock_followed"
    case rule, delay, pause, request, grant, category
    case member, passcode, permission, app
    case imported, forgotten, configuration
    /// The line itself was damaged.
    case unreadable
    case unknown
}

/// The effect of a change: it allows more or less than before.
package enum HistoryWeight: String, WireEnum {
    case loosened, tightened, unknown
}

/// Events that a subscriber has received and that their publisher no longer has.
package struct HistoryLoss: WireBody, Codable, Equatable {
    package var source: String
    /// The stream. Empty means all records of the service, as counted in the system journal.
    package var stream: String
    /// The number of the last event that is left. `keptWallMs` is its time.
    package var kept: Int64
    package var keptWallMs: Int64?
    /// The number of the last event that the subscriber received. `promisedId` is its id, which contains its time.
    package var promised: Int64
    package var promisedId: String?
    package var promisedWallMs: Int64?
    /// True if the database was replaced. It contains none or an unknown part of the previous events.
    package var isOther: Bool

    package enum CodingKeys: String, CodingKey {
        case source, stream, kept, keptWallMs, promised, promisedId, promisedWallMs
        case isOther = "other"
    }

    package init(
        source: String,
        stream: String,
        kept: Int64,
        keptWallMs: Int64? = nil,
        promised: Int64,
        promisedId: String? = nil,
        promisedWallMs: Int64? = nil,
        isOther: Bool = false
    ) {
        self.source = source
        self.stream = stream
        self.kept = kept
        self.keptWallMs = keptWallMs
        self.promised = promised
        self.promisedId = promisedId
        self.promisedWallMs = promisedWallMs
        self.isOther = isOther
    }
}

/// A change to what is in force, or an event that concerns Screen Time itself.
///
/// Each service publishes its own lines. activity-center stores all of them in one chain of hashes.
package struct HistoryLine: WireBody, Codable, Equatable {
    /// The position in the chain. `nil` until activity-center has added the line.
    package var row: Int64?
    package var service: String
    package var what: HistoryKind
    package var weight: HistoryWeight?
    /// The name of the changed object, such as a rule, an app or a file.
    package var about: String?
    /// The member whom the change concerns.
    package var member: String?
    /// The member who proved the change with their passcode. `nil` if no proof was required.
    package var by: String?
    package var before: Message?
    package var after: Message?
    package var why: Message?
    package var loss: HistoryLoss?
    /// The duration of a gap or a stop, or the amount by which the clock was set.
    package var lengthMs: Int64?
    package var wallMs: Int64
    package var bootMs: Int64

    package init(
        service: String = "",
        _ what: HistoryKind,
        _ weight: HistoryWeight? = nil,
        about: String? = nil,
        member: String? = nil,
        by: String? = nil,
        before: Message? = nil,
        after: Message? = nil,
        why: Message? = nil,
        loss: HistoryLoss? = nil,
        lengthMs: Int64? = nil
    ) {
        self.service = service
        self.what = what
        self.weight = weight
        self.about = about
        self.member = member
        self.by = by
        self.before = before
        self.after = after
        self.why = why
        self.loss = loss
        self.lengthMs = lengthMs
        wallMs = 0
        bootMs = 0
    }

    package enum CodingKeys: String, CodingKey {
        case row, service, what, weight, about, member, by, before, after, why, loss, lengthMs, wallMs, bootMs
    }

    /// The maximum size of each text of a line, in bytes.
    package static let textBytesMax = 400
}

extension EventInfo {
    /// Describes the event type of a service's history lines. Each service has a stream of its own for them.
    package init(historyOf service: ServiceName) {
        self.init(
            stream: .history(of: service),
            type: StreamName.history(of: service).rawValue + ".line",
            summary: service == .activity
                ? "A line of the history of all services, in its chain."
                : "A change to what is in force, or something that happened to \(service) itself.",
            HistoryLine.self
        )
    }
}

/// Lists changes, and events that concern Screen Time itself.
package enum HistoryList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var limit: Int64?
        package var next: String?

        package init(member: String? = nil, limit: Int64? = nil, next: String? = nil) {
            self.member = member
            self.limit = limit
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var lines: [HistoryLine]
        /// Losses that no person has accepted yet.
        package var losses: [HistoryLine]
        package var next: String?

        package init(lines: [HistoryLine], losses: [HistoryLine], next: String?) {
            self.lines = lines
            self.losses = losses
            self.next = next
        }
    }

    package static let name = "history.list"
    package static let kind = RouteKind.query
    package static let summary =
        "Lists changes and the people who made them, newest first, and the losses that nobody has accepted."
}

package enum HistoryAcceptLoss: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var why: String
        package var by: String?
        package var passcode: String?

        package init(why: String, by: String? = nil, passcode: String? = nil) {
            self.why = why
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var accepted: Int64
        /// The reason why no loss was accepted. auth-service records an attempt with a wrong passcode.
        package var refusal: Problem?

        package init(accepted: Int64, refusal: Problem? = nil) {
            self.accepted = accepted
            self.refusal = refusal
        }
    }

    package static let name = "history.accept_loss"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Accepts the reported losses of records, with a reason. "
        + "On a child's machine a guardian must approve, otherwise the owner."
}

// The text of a line, for the command and for notifications.

extension HistoryLine {
    /// The duration above which a stop or a gap is reported to guardians.
    package static let stopToldMs: Int64 = 60_000

    /// True if guardians are notified immediately.
    package var isForGuardian: Bool {
        switch what {
        case .lost, .fileSaved, .fileChanged, .fileRebuilt, .gap, .unseen, .agentStopped, .clockSet,
            .category, .imported,
            .configuration:
            true
        case .started: (lengthMs ?? 0) > Self.stopToldMs
        default: weight == .loosened
        }
    }

    /// True if the line concerns the records themselves. Without a guardian, the owner of the computer is notified.
    package var isOfRecords: Bool {
        [.lost, .fileSaved, .fileChanged, .fileRebuilt, .unreadable].contains(what)
    }

    /// Returns the sentences of the line without its time.
    package func text(in language: DisplayLanguage = .english) -> String {
        let by = by.map { Message("history.by", "By \($0, "person").") }
        let reason = why.map { Message("history.why", "Why: \($0, "reason")") }
        return [message, before(.started), by, reason].compactMap { $0?.text(in: language) }
            .joined(separator: " ")
    }

    private var message: Message {
        switch what {
        case .rule: change(Message("history.the-rule", "The rule"))
        case .delay: change(Message("history.the-wait", "The delay for changes that loosen a rule"))
        case .pause: change(Message("history.the-pause", "The pause of the rule"))
        case .request: change(Message("history.the-request-rule", "The rule for requests"))
        case .category: change(Message("history.the-category", "The category"))
        case .member: change(Message("history.the-member", "The member"))
        case .passcode: change(Message("history.the-passcode", "The passcode"))
        case .permission: change(Message("history.the-permission", "The permission"))
        case .app: change(Message("history.the-app", "The app"))
        case .configuration: change(Message("history.the-setting", "The setting"))
        case .grant:
            Message(
                "history.granted",
                "\(member ?? "", "member") got more time: \(text(after), "time") (\(about ?? "", "subject"))."
            )
        case .imported: Message("history.imported", "Usage was imported: \(text(after), "rows").")
        case .forgotten: Message("history.deleted", "Records were deleted: \(text(before), "rows").")
        case .gap, .unseen, .agentStopped, .clockSet, .clockFollowed: messageOfScreen
        case .lost, .lossAccepted, .fileSaved, .begun, .fileChanged, .fileRebuilt, .restored, .started,
            .stopped, .unreadable, .unknown:
            messageOfRecords
        }
    }

    private var messageOfRecords: Message {
        switch what {
        case .lost:
            loss.map { Self.message($0) } ?? Message("history.records-are-missing", "Records are missing.")
        case .lossAccepted: Message("history.loss-accepted", "The loss of records was accepted.")
        case .fileSaved:
            Message(
                "history.file-saved",
                """
                Another program removed or replaced the records of \(service, "service") while it ran. The service \
                saved its records and continues.
                """
            )
        case .begun: Message("history.begun", "\(service, "service") created a new database.")
        case .fileChanged:
            Message(
                "history.file-changed",
                """
                The records of \(service, "service") were changed, replaced or removed while the service was not \
                running.
                """
            )
        case .fileRebuilt:
            Message(
                "history.file-rebuilt",
                """
                The records of \(service, "service") were damaged. The service moved them to \
                \(about ?? "", "folder") and started rebuilding them.
                """
            )
        case .restored: Message("history.restored", "A backup of \(service, "service") was restored.")
        case .started: Message("history.started", "Screen Time started.")
        case .stopped: Message("history.stopped", "Screen Time was stopped.")
        case .unreadable:
            Message(
                "history.unreadable",
                "This line of the history was damaged on the disk and cannot be read."
            )
        default:
            Message("history.unknown", "This version of Screen Time does not recognise this kind of event.")
        }
    }

    private var messageOfScreen: Message {
        switch what {
        case .gap:
            member.map {
                Message(
                    "history.gap-of-member",
                    """
                    Screen Time recorded no usage by \($0, "member") for \(length, "length"), although the \
                    computer was running.
                    """
                )
            }
                ?? Message(
                    "history.gap",
                    "Screen Time recorded nothing for \(length, "length"), although the computer was running."
                )
        case .unseen:
            Message(
                "history.unseen",
                """
                The account of \(person, "member") is in use where Screen Time cannot observe it: on a \
                console, over the network, or without desktop-agent. From now on, this time counts as the \
                app “Unseen”, which only limits on everything include.
                """
            )
        case .agentStopped:
            Message(
                "history.agent-stopped",
                """
                desktop-agent was stopped while \(person, "member") used this computer. That time counts as \
                the app “Unseen”, which only limits on everything include.
                """
            )
        case .clockSet where lengthMs ?? 0 < 0:
            Message(
                "history.clock-set-back",
                """
                This computer's clock was set back by \(length, "length"). Screen Time ignores this and uses \
                the elapsed time.
                """
            )
        case .clockSet:
            Message(
                "history.clock-set-ahead",
                """
                This computer's clock was set ahead by \(length, "length"). Screen Time ignores this and \
                uses the elapsed time.
                """
            )
        default:
            Message("history.clock-followed", "Screen Time uses the clock of this computer again.")
        }
    }

    /// Returns a sentence about the time for which Screen Time was stopped before it started.
    private func before(_ kind: HistoryKind) -> Message? {
        guard what == kind, let lengthMs, lengthMs >= 1000 else { return nil }
        return before?.english == "stopped"
            ? Message("history.had-stopped", "It had been stopped \(length, "length") earlier.")
            : Message("history.had-ended", "It had ended \(length, "length") earlier.")
    }

    private var person: MessageValue {
        member.map { .text($0) } ?? .message(Message("history.a-person", "a person"))
    }

    private var length: MessageValue { .duration(ms: abs(lengthMs ?? 0) / 1000 * 1000) }

    private func text(_ value: Message?) -> Message { value ?? Message(verbatim: "") }

    private func change(_ thing: Message) -> Message {
        let subject = subject(thing)
        return switch (before, after) {
        case (let before?, let after?):
            Message(
                "history.changed-from",
                "\(subject, "subject") changed from “\(before, "before")” to “\(after, "after")”."
            )
        case (nil, let after?):
            Message("history.is-new", "\(subject, "subject") was added: \(after, "after").")
        case (let before?, nil):
            Message(
                "history.was-removed",
                "\(subject, "subject") was removed. Its last value was: \(before, "before")."
            )
        case (nil, nil): Message("history.changed", "\(subject, "subject") changed.")
        }
    }

    private func subject(_ thing: Message) -> Message {
        switch (about, member) {
        case (let name?, let member?):
            Message(
                "history.named-of-member",
                "\(thing, "thing") “\(name, "name")” of \(member, "member")"
            )
        case (let name?, nil): Message("history.named", "\(thing, "thing") “\(name, "name")”")
        case (nil, let member?):
            Message("history.of-member", "\(thing, "thing") of \(member, "member")")
        case (nil, nil): thing
        }
    }

    private static func message(_ loss: HistoryLoss) -> Message {
        guard !loss.stream.isEmpty else {
            return Message(
                "history.database-is-gone",
                """
                The database of \(loss.source, "service") is missing, with all its records. Their number, \
                according to the system journal: \(loss.promised, "count").
                """
            )
        }
        guard !loss.isOther else {
            return Message(
                "history.database-is-other",
                """
                Records of \(loss.source, "service") (\(loss.stream, "stream")) are missing. Its database was \
                replaced, or is an older copy without them.
                """
            )
        }
        let count = loss.promised - loss.kept
        return Message(
            "history.records-missing",
            count: Int(clamping: count),
            one: """
                \(count, "count") record of \(loss.source, "service") (\(loss.stream, "stream")) is missing. \
                Another service has a reference to it.
                """,
            other: """
                \(count, "count") records of \(loss.source, "service") (\(loss.stream, "stream")) are \
                missing. Another service has a reference to them.
                """
        )
    }
}

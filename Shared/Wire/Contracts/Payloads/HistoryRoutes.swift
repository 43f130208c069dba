package import STPlatform

/// What a line of the history is about.
package enum HistoryKind: String, WireEnum {
    /// What a service had promised to another one is not there any more.
    case lost
    case lossAccepted = "loss_accepted"
    /// A database was removed or replaced under a running service, which has saved it.
    case fileSaved = "file_saved"
    /// A service made its database. Its line is what activity-center misses once that database is gone.
    case begun
    /// A database was changed, replaced or removed while its service did not run.
    case fileChanged = "file_changed"
    /// A damaged database was put aside, and its content is made anew.
    case fileRebuilt = "file_rebuilt"
    case restored
    case started, stopped
    /// Nothing was observed though the computer ran.
    case gap
    /// An account is used, and nothing looks at its screen.
    case unseen
    /// desktop-agent was stopped or killed while the account was in use.
    case agentStopped = "agent_stopped"
    case clockSet = "clock_set"
    case clockFollowed = "clock_followed"
    case rule, delay, pause, request, grant, category
    case member, passcode, permission, app
    case imported, forgotten, configuration
    /// What stands in this place was damaged.
    case unreadable
    case unknown
}

/// Whether a change allows more than before.
package enum HistoryWeight: String, WireEnum {
    case loosened, tightened, unknown
}

/// Events that a subscriber had been promised and its publisher does not have any more.
package struct HistoryLoss: WireBody, Codable, Equatable {
    package var source: String
    /// Empty: everything that the service had, as the system's journal knows.
    package var stream: String
    /// The number of the last event that is still there, and when it happened.
    package var kept: Int64
    package var keptWallMs: Int64?
    /// The number and id of the last event that was promised; the id says when it happened.
    package var promised: Int64
    package var promisedId: String?
    package var promisedWallMs: Int64?
    /// The database is another one: it holds nothing of what was there, or an unknown part.
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

/// A change to what is in force, or something that happened to Screen Time itself.
///
/// Each service tells its own; activity-center keeps all of them in one chain of hashes.
package struct HistoryLine: WireBody, Codable, Equatable {
    /// Its place in the chain, once it has one.
    package var row: Int64?
    package var service: String
    package var what: HistoryKind
    package var weight: HistoryWeight?
    /// What changed, such as the name of a rule, an app or a file.
    package var about: String?
    /// The member for whom it changed.
    package var member: String?
    /// The member who proved to be the one who changed it; absent when it took no proof.
    package var by: String?
    package var before: Message?
    package var after: Message?
    package var why: Message?
    package var loss: HistoryLoss?
    /// How long it lasted.
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

    /// The longest text of a line.
    package static let textBytesMax = 400
}

extension EventInfo {
    /// Each service has a stream of its own for its lines.
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

/// What changed, and what happened to Screen Time itself.
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
        /// Losses that no person has answered yet.
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
        "What changed and who changed it, newest first, and the losses that wait for an answer."
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
        /// Why not; a try with a wrong passcode is written down.
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
        "A guardian, or the owner of the computer, answers what was lost, with a reason."
}

// What a line says to people, in the command and in notifications alike.

extension HistoryLine {
    /// A guardian hears of a stop that is longer.
    package static let stopToldMs: Int64 = 60_000

    /// Whether a guardian hears of it as soon as it happens.
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

    /// Whether it concerns the records themselves: without a guardian the owner of the computer hears of it.
    package var isOfRecords: Bool {
        [.lost, .fileSaved, .fileChanged, .fileRebuilt, .unreadable].contains(what)
    }

    /// The sentences of the line without its time.
    package func text(in language: WordLanguage = .english) -> String {
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
                console, over the network, or without desktop-agent. From now on, this time counts as \
                Unseen.
                """
            )
        case .agentStopped:
            Message(
                "history.agent-stopped",
                """
                desktop-agent was stopped while \(person, "member") used this computer. That time counts as Unseen.
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

    /// How long Screen Time was stopped before it started.
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
            Message("history.is-new", "\(subject, "subject") is new: \(after, "after").")
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

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
    package var before: String?
    package var after: String?
    package var why: String?
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
        before: String? = nil,
        after: String? = nil,
        why: String? = nil,
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

    /// One or two sentences, without the moment.
    package var sentence: String {
        let by = by.map { " By \($0)." } ?? ""
        let reason = why.map { " Why: \($0)" } ?? ""
        return text + by + reason
    }

    private var text: String {
        switch what {
        case .lost: loss.map { Self.text($0) } ?? "Records are missing."
        case .lossAccepted: "The loss of records was accepted."
        case .fileSaved:
            "The records of \(service) were taken away or replaced on the disk while it ran. It saved them and goes on."
        case .begun: "The records of \(service) begin."
        case .fileChanged:
            "The records of \(service) were changed, replaced or removed on the disk while it did not run."
        case .fileRebuilt:
            "The records of \(service) were damaged. It put them aside (\(about ?? "")) and makes them anew."
        case .restored: "A backup of \(service) was put back."
        case .started: "Screen Time started." + stood
        case .stopped: "Screen Time was stopped."
        case .gap: "Nothing was seen of \(member ?? "the screen") for \(length), though the computer ran."
        case .unseen:
            "The account of \(member ?? "a person") is used where nothing sees it: on a console, from elsewhere, or without desktop-agent. "
                + "From now on the time counts as Unseen."
        case .agentStopped:
            "desktop-agent was stopped while \(member ?? "a person") used this computer. That time counts as Unseen."
        case .clockSet:
            "A person set the clock of this computer \(length) \(lengthMs ?? 0 < 0 ? "back" : "ahead"). Screen Time goes on by the time that passes."
        case .clockFollowed: "Screen Time goes by the clock of this computer again."
        case .rule: change("The rule")
        case .delay: change("The wait before looser rules")
        case .pause: change("The pause of the rule")
        case .request: change("The rule for requests")
        case .grant: "More time for \(member ?? ""): \(after ?? "") (\(about ?? ""))."
        case .category: change("The category")
        case .member: change("The member")
        case .passcode: change("The passcode")
        case .permission: change("The permission")
        case .app: change("The app")
        case .imported: "Use from a file was added: \(after ?? "")."
        case .forgotten: "Records were deleted: \(before ?? "")."
        case .configuration: change("The setting")
        case .unreadable: "This line of the history was damaged on the disk and cannot be read."
        case .unknown: "Something happened that this version does not know."
        }
    }

    private var length: String { TextFormat.duration(ms: abs(lengthMs ?? 0) / 1000 * 1000) }

    private var stood: String {
        guard let lengthMs, lengthMs >= 1000 else { return "" }
        return " It had \(before ?? "ended") \(length) before."
    }

    private func change(_ thing: String) -> String {
        var subject = thing
        if let about { subject += " “\(about)”" }
        if let member { subject += " of \(member)" }
        switch (before, after) {
        case (let before?, let after?): return "\(subject) changed from “\(before)” to “\(after)”."
        case (nil, let after?): return "\(subject) is new: \(after)."
        case (let before?, nil): return "\(subject) was taken away; it was: \(before)."
        case (nil, nil): return "\(subject) changed."
        }
    }

    private static func text(_ loss: HistoryLoss) -> String {
        guard !loss.stream.isEmpty else {
            return
                "The database of \(loss.source) is gone: all records are missing, of which the system's journal knows "
                + "\(loss.promised)."
        }
        guard !loss.isOther else {
            return
                "Records of \(loss.source) (\(loss.stream)) are missing: its database is another one than before, "
                + "or an older copy that went on without them."
        }
        let count = loss.promised - loss.kept
        return "\(count) \(count == 1 ? "record" : "records") of \(loss.source) (\(loss.stream)) "
            + "\(count == 1 ? "is" : "are") missing, which another service had been told of."
    }
}

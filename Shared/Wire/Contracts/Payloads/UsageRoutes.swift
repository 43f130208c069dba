package import STPlatform

/// The presence of a person at the computer.
package enum Presence: String, WireEnum {
    case active, idle, locked, away, suspended, unobserved, unknown
}

/// An observation of the foreground app and of a person's presence: a change, or the regular report that nothing has changed.
package struct Observation: WireBody, Codable, Equatable {
    package var sequence: Int64
    package var bootId: String
    package var bootMs: Int64
    package var monotonicMs: Int64
    package var wallMs: Int64
    package var zone: String
    package var member: String
    package var presence: Presence
    package var app: String?
    package var domain: String?
    /// The time of the last input by key or pointer. Of several agents that report activity, only the one with the latest input
    /// counts.
    package var inputBootMs: Int64?
    /// True if the previous observation applied without a break until now, regardless of its age.
    package var unbroken: Bool?
    /// True if a shield covered the app, so that the person saw the shield and not the app.
    ///
    /// `nil` if there was no shield.
    package var shielded: Bool?
    /// The number of notifications that each app has shown to the member since the previous observation.
    ///
    /// `nil` if there were none, or if they cannot be observed.
    package var notifications: [String: Int64]?
    /// True if the observation comes from a script and not from an agent.
    package var played: Bool?
    /// True while a film, a call or something that fills the screen is under way, because that is no moment for a break.
    package var busy: Bool?

    package init(
        sequence: Int64,
        bootId: String,
        at reading: TimeReading,
        zone: String,
        member: String,
        presence: Presence,
        app: String?,
        domain: String? = nil,
        inputBootMs: Int64? = nil,
        unbroken: Bool? = nil,
        shielded: Bool? = nil,
        notifications: [String: Int64]? = nil,
        played: Bool? = nil,
        busy: Bool? = nil
    ) {
        self.sequence = sequence
        self.bootId = bootId
        bootMs = reading.bootMs
        monotonicMs = reading.monotonicMs
        wallMs = reading.wallMs
        self.zone = zone
        self.member = member
        self.presence = presence
        self.app = app
        self.domain = domain
        self.inputBootMs = inputBootMs
        self.unbroken = unbroken
        self.shielded = shielded
        self.notifications = notifications
        self.played = played
        self.busy = busy
    }

    package var reading: TimeReading { TimeReading(wallMs: wallMs, bootMs: bootMs, monotonicMs: monotonicMs) }
}

package enum UsageObserve: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var agent: String
        /// A random id of each start of the agent. `(agent, run, sequence)` makes a repeated observation harmless.
        package var run: String
        package var observations: [Observation]

        package init(agent: String, run: String, observations: [Observation]) {
            self.agent = agent
            self.run = run
            self.observations = observations
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var acceptedThrough: Int64
        package var duplicates: Int64
        /// The number of observations that came too late to count in full, because another agent has reported that time.
        package var late: Int64?
        /// The boot time at which the agent should repeat its last observation, because something may be due then.
        package var checkAt: Int64?

        package init(acceptedThrough: Int64, duplicates: Int64, late: Int64? = nil, checkAt: Int64? = nil) {
            self.acceptedThrough = acceptedThrough
            self.duplicates = duplicates
            self.late = late
            self.checkAt = checkAt
        }
    }

    package static let batchMax = 200
    /// The foreground app while an account is in use and no agent observes its screen. Reports call it Unseen.
    package static let unseenApp = "dev.screentime.Unseen"
    /// The foreground app that is recorded while a child on a protected computer uses an unknown program.
    package static let unknownProgram = "dev.screentime.UnknownProgram"
    /// Prefix of the agent name under which account-door reports while no agent does.
    package static let doorAgentPrefix = "door:"
    /// The maximum size of the name of an agent, a run, an app or a domain.
    package static let nameBytesMax = 256
    /// The maximum number of notifying apps in one observation.
    package static let notifyingAppsMax = 50
    /// The permitted numbers of notifications of one app in one observation.
    package static let notificationCounts: ClosedRange<Int64> = 1...10_000
    package static let name = "usage.observe"
    package static let kind = RouteKind.write
    package static let summary = "Records the observations of an agent, and replies once they are stored."
}

/// Lists rows of the ledger in the order in which they were written. With a member or a time, the rows are sorted by member and
/// then by time.
///
/// A page may be empty although another one follows. The list ends only if `next` is `nil`.
package enum UsageList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var next: String?
        package var limit: Int64?
        /// The start of a period. Only the rows of `member` that overlap the period are listed.
        package var fromWallMs: Int64?
        package var toWallMs: Int64?
        package var member: String?

        package init(
            next: String? = nil,
            limit: Int64? = nil,
            fromWallMs: Int64? = nil,
            toWallMs: Int64? = nil,
            member: String? = nil
        ) {
            self.next = next
            self.limit = limit
            self.fromWallMs = fromWallMs
            self.toWallMs = toWallMs
            self.member = member
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rows: [Segment]
        package var next: String?

        package init(rows: [Segment], next: String?) {
            self.rows = rows
            self.next = next
        }
    }

    package static let name = "usage.list"
    package static let kind = RouteKind.query
    package static let summary = "Lists the rows of the ledger, oldest first, a page at a time."
}

/// An agent that has reported observations on this computer.
package struct UsageAgent: WireBody, Codable, Equatable {
    package var agent: String
    package var firstWallMs: Int64

    package init(agent: String, firstWallMs: Int64) {
        self.agent = agent
        self.firstWallMs = firstWallMs
    }
}

/// The response to a child's use of a screen while desktop-agent is not running.
package enum UnobservedScreenPolicy: String, Sendable {
    /// The time counts as Unseen, and guardians are notified.
    case count
    /// In addition, the screen is locked.
    case lock

    /// The environment variable that passes the response to account-door.
    package static let variable = "SCREENTIME_UNSEEN"
}

/// Returns the current usage of every observed member.
package enum UsageNow: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// The usage that is not in the ledger yet. A member's last interval is in the foreground. Earlier ones may still turn out
        /// not to be usage.
        package var open: [Segment]
        /// The agents that have ever reported, with the times of their first reports.
        package var agents: [UsageAgent]?
        /// The devices whose past usage was imported.
        package var devices: [ImportedDevice]?

        package init(open: [Segment], agents: [UsageAgent]? = nil, devices: [ImportedDevice]? = nil) {
            self.open = open
            self.agents = agents
            self.devices = devices
        }

        /// The current interval of each member, for each reported start of the machine.
        package var foregroundSegments: [Segment] {
            open.indices.filter { index in
                !open[(index + 1)...].contains {
                    $0.member == open[index].member && $0.bootId == open[index].bootId
                }
            }
            .map { open[$0] }
        }
    }

    package static let name = "usage.now"
    package static let kind = RouteKind.read
    package static let summary = "Returns each observed member's usage that is not in the ledger yet."
}

package enum UsageAcceptClock: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var by: String?
        package var passcode: String?

        package init(by: String? = nil, passcode: String? = nil) {
            self.by = by
            self.passcode = passcode
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The time by which Screen Time's clock was moved.
        package var byMs: Int64
        /// The reason why the clock was not accepted. auth-service records an attempt with a wrong passcode.
        package var refusal: Problem?

        package init(byMs: Int64, refusal: Problem? = nil) {
            self.byMs = byMs
            self.refusal = refusal
        }
    }

    package static let name = "usage.accept_clock"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Accepts the machine's clock as correct after a person has set it. "
        + "On a child's machine a guardian must approve, otherwise the owner."
}

/// Returns the first moment at which something would be due, for a clock that must stop exactly then.
package enum UsagePreview: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var agent: String
        package var run: String
        package var observations: [Observation]

        package init(agent: String, run: String, observations: [Observation]) {
            self.agent = agent
            self.run = run
            self.observations = observations
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The boot time of that moment. `nil` if nothing would be due.
        package var dueBootMs: Int64?
        package var member: String?

        package init(dueBootMs: Int64? = nil, member: String? = nil) {
            self.dueBootMs = dueBootMs
            self.member = member
        }
    }

    package static let name = "usage.preview"
    package static let kind = RouteKind.read
    package static let summary =
        "Returns the first time at which something would be due after these observations, without recording "
        + "them."
}

/// The kinds of faults in a row of the ledger.
package enum LedgerFaultReason: String, WireEnum {
    case contentChanged = "content_changed"
    case chainBroken = "chain_broken"
    case rowMissing = "row_missing"
    case rowsOverlap = "rows_overlap"
    case timesReversed = "times_reversed"
    case unreadable
    case unknown
}

/// The first row that differs from what was written.
package struct LedgerFault: WireBody, Codable, Equatable {
    package var row: Int64
    package var reason: LedgerFaultReason
    package var text: Message

    package init(row: Int64, reason: LedgerFaultReason, text: Message) {
        self.row = row
        self.reason = reason
        self.text = text
    }
}

/// Checks the ledger against its chain of hashes, some rows at a time.
package enum UsageVerify: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// `next` of the last reply. `nil` at the beginning.
        package var next: String?

        package init(next: String? = nil) { self.next = next }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The number of rows that were checked since the beginning.
        package var checked: Int64
        package var total: Int64
        /// The number of checked rows whose content was deleted by their person.
        package var forgotten: Int64
        package var fault: LedgerFault?
        /// The first fault of the history, once all rows are checked.
        package var historyFault: LedgerFault?
        /// The last link in hexadecimal digits, once all rows are checked. A copy of it in another place reveals any later change.
        package var chain: String?
        package var next: String?

        package init(
            checked: Int64,
            total: Int64,
            forgotten: Int64,
            fault: LedgerFault? = nil,
            historyFault: LedgerFault? = nil,
            chain: String? = nil,
            next: String? = nil
        ) {
            self.checked = checked
            self.total = total
            self.forgotten = forgotten
            self.fault = fault
            self.historyFault = historyFault
            self.chain = chain
            self.next = next
        }
    }

    package static let name = "usage.verify"
    package static let kind = RouteKind.query
    package static let summary =
        "Checks the rows of the ledger a page at a time, and returns the first fault."
}

package import STPlatform

/// Whether a person is at the computer.
package enum Presence: String, WireEnum {
    case active, idle, locked, away, suspended, unobserved, unknown
}

/// "From now on this is in front, and a person is there": a transition, or the beat that says it is still so.
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
    /// When a key or a pointer was last touched; of several agents the one with the latest has the person in front.
    package var inputBootMs: Int64?
    /// What was seen before held without a break until now, however long ago that observation came.
    package var unbroken: Bool?
    /// A shield was in front of it: the person looked at that, and not at the app.
    ///
    /// Nil: there was none.
    package var shielded: Bool?
    /// How many notifications each app has put before the member since the observation before.
    ///
    /// Nil: none, or they cannot be seen here.
    package var notifications: [String: Int64]?
    /// It comes from a script, and no agent saw it.
    package var played: Bool?
    /// A film, a call or something that fills the screen is under way: no moment for a break.
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
        /// Random at each start of the agent: `(agent, run, sequence)` makes a repeat harmless.
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
        /// How many came too late to count in full: what another agent has told of that time stands.
        package var late: Int64?
        /// The boot time at which the agent should say "still so": something may be due then.
        package var checkAt: Int64?

        package init(acceptedThrough: Int64, duplicates: Int64, late: Int64? = nil, checkAt: Int64? = nil) {
            self.acceptedThrough = acceptedThrough
            self.duplicates = duplicates
            self.late = late
            self.checkAt = checkAt
        }
    }

    package static let batchMax = 200
    /// What is in front while an account is used and nothing looks at its screen. Reports call it Unseen.
    package static let unseenApp = "dev.screentime.Unseen"
    /// The foreground app that is recorded while a child on a protected computer uses an unknown program.
    package static let unknownProgram = "dev.screentime.UnknownProgram"
    /// Prefix of the agent name under which account-door reports while no agent does.
    package static let doorAgentPrefix = "door:"
    /// For the name of an agent, a run, an app or a domain.
    package static let nameBytesMax = 256
    /// In one observation.
    package static let notifyingAppsMax = 50
    /// For one app in one observation.
    package static let notificationCounts: ClosedRange<Int64> = 1...10_000
    package static let name = "usage.observe"
    package static let kind = RouteKind.write
    package static let summary = "Takes what the desktop saw; answered once it is in the ledger."
}

/// Rows of the ledger in the order in which they were written; with a member or a time, one member after the other, each in the order
/// of their times.
///
/// A page may be empty although another one follows: only `next` counts.
package enum UsageList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var next: String?
        package var limit: Int64?
        /// Only rows that touch this time, and only of this member.
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
    package static let summary = "The rows of the ledger, oldest first, a page at a time."
}

/// An agent that has reported here.
package struct UsageAgent: WireBody, Codable, Equatable {
    package var agent: String
    package var firstWallMs: Int64

    package init(agent: String, firstWallMs: Int64) {
        self.agent = agent
        self.firstWallMs = firstWallMs
    }
}

/// What happens to a child's screen that is used while the program that looks at it does not live.
package enum UnseenScreen: String, Sendable {
    /// The time counts as Unseen, and guardians hear of it.
    case count
    /// The screen is locked as well.
    case lock

    /// In the environment of an account's door.
    package static let variable = "SCREENTIME_UNSEEN"
}

/// What is in front at this moment, for every member seen.
package enum UsageNow: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// What is not in the ledger yet: what is in front, after what was before it and may still turn out to be no use.
        package var open: [Segment]
        /// Who has ever reported here, and since when.
        package var agents: [UsageAgent]?
        /// Whose past was brought here.
        package var devices: [ImportedDevice]?

        package init(open: [Segment], agents: [UsageAgent]? = nil, devices: [ImportedDevice]? = nil) {
            self.open = open
            self.agents = agents
            self.devices = devices
        }

        /// What is in front of each member, for each start of the machine that is reported.
        package var inFront: [Segment] {
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
    package static let summary = "The stretch of time still open, for every member seen."
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
        /// How far the time that Screen Time goes by has moved.
        package var byMs: Int64
        /// Why it has not; a try with a wrong passcode is written down.
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
        "A guardian says that the machine's clock is right, though a person has set it."
}

/// What would happen: for a clock that must stop at the very moment.
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
        /// Nil when nothing would.
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
        "When the first thing would be due if these were observed; nothing is recorded."
}

/// What is wrong with a row of the ledger.
package enum LedgerFaultReason: String, WireEnum {
    case contentChanged = "content_changed"
    case chainBroken = "chain_broken"
    case rowMissing = "row_missing"
    case rowsOverlap = "rows_overlap"
    case timesReversed = "times_reversed"
    case unreadable
    case unknown
}

/// The first row that is not as it was written.
package struct LedgerFault: WireBody, Codable, Equatable {
    package var row: Int64
    package var reason: LedgerFaultReason
    /// A sentence about it.
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
        /// As the reply before had it; absent at the beginning.
        package var next: String?

        package init(next: String? = nil) { self.next = next }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// Rows looked at since the beginning.
        package var checked: Int64
        package var total: Int64
        /// How many of them have content that their person deleted.
        package var forgotten: Int64
        package var fault: LedgerFault?
        /// What is wrong with the history, once all is checked.
        package var historyFault: LedgerFault?
        /// The last link, hexadecimal, once all is checked: noted down elsewhere, it shows any later change.
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
    package static let summary = "Checks the rows of the ledger a page at a time and names the first bad one."
}

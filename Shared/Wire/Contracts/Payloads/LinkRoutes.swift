package import STPlatform

/// The state of a machine's membership in a household.
package enum LinkState: String, WireEnum {
    /// The machine belongs to no household.
    case alone
    /// The machine has requested to join. A person must confirm the number that both machines show.
    case asking
    case joined
    /// The household no longer admits the machine.
    case refused
    case unknown
}

/// The part of each usage interval that leaves a machine.
package enum LinkShare: String, WireEnum {
    /// The app and the site.
    case all
    /// Only the app, without the site.
    case apps
    /// Only the duration. On other machines, only limits on everything count it.
    case time
    case unknown
}

package enum LinkShow: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var state: LinkState
        package var address: String?
        package var accounts: [HouseholdAccount]
        package var number: String?
        /// The time of the household's last reply.
        package var heardAt: String?
        package var isConnected: Bool
        /// The reason why the machine is not connected.
        package var problem: Problem?
        /// The usage under way on other machines, of the people of this one.
        package var elsewhere: [LinkRemoteUsage]
        /// The part of the usage that the household receives. `nil` means all.
        package var share: LinkShare?
        /// True if the machine has made new keys that the household has not received yet.
        package var isRenewing: Bool?

        package init(
            state: LinkState,
            address: String? = nil,
            accounts: [HouseholdAccount] = [],
            number: String? = nil,
            heardAt: String? = nil,
            isConnected: Bool = false,
            problem: Problem? = nil,
            elsewhere: [LinkRemoteUsage] = [],
            share: LinkShare? = nil,
            isRenewing: Bool? = nil
        ) {
            self.state = state
            self.address = address
            self.accounts = accounts
            self.number = number
            self.heardAt = heardAt
            self.isConnected = isConnected
            self.problem = problem
            self.elsewhere = elsewhere
            self.share = share
            self.isRenewing = isRenewing
        }
    }

    package static let name = "link.show"
    package static let kind = RouteKind.read
    package static let summary =
        "Returns whether this machine belongs to a household, and the state of the connection."
}

package struct LinkRemoteUsage: WireBody, Codable, Equatable {
    package var member: String
    /// The displayed name of the machine.
    package var device: String
    package var app: String?
    package var domain: String?
    package var sinceMs: Int64

    package init(member: String, device: String, app: String?, domain: String?, sinceMs: Int64) {
        self.member = member
        self.device = device
        self.app = app
        self.domain = domain
        self.sinceMs = sinceMs
    }
}

package enum LinkJoin: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var code: String
        package var accounts: [HouseholdAccount]
        /// The part of the usage that the household receives. `nil` means all.
        package var share: LinkShare?
        /// A value that stays the same on a machine without a disk.
        package var identity: String?
        /// True if people who are added to this machine later also belong to the household, under their names on this machine.
        package var everyone: Bool?
        package var proof: Proof?

        package init(
            code: String,
            accounts: [HouseholdAccount],
            share: LinkShare? = nil,
            identity: String? = nil,
            everyone: Bool? = nil,
            proof: Proof? = nil
        ) {
            self.code = code
            self.accounts = accounts
            self.share = share
            self.identity = identity
            self.everyone = everyone
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var number: String
        package var address: String

        package init(number: String, address: String) {
            self.number = number
            self.address = address
        }
    }

    package static let identityBytes = 4...256
    package static let name = "link.join"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let discardsReply = true
    package static let summary =
        "Requests to join the household that issued a code. "
        + "If a child joins, requires a guardian's passcode if one is set."
}

package enum LinkLeave: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var proof: Proof?

        package init(proof: Proof? = nil) { self.proof = proof }
    }

    package typealias Reply = Empty

    package static let name = "link.leave"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Leaves the household, so later usage on other machines does not count here. "
        + "On a child's machine, requires a guardian's passcode if one is set."
}

package enum LinkRenew: Route {
    package typealias Request = Empty
    package typealias Reply = Empty

    package static let name = "link.renew"
    package static let kind = RouteKind.write
    package static let summary =
        "Creates new keys for this machine. "
        + "The old keys become invalid once the household has received the new ones."
}

package enum LinkMachines: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var devices: [HouseholdDevice]

        package init(devices: [HouseholdDevice]) { self.devices = devices }
    }

    package static let name = "link.machines"
    package static let kind = RouteKind.query
    package static let summary = "Lists the machines of the household, as the household reports them."
}

package enum LinkAsk: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The name or the id of the machine.
        package var machine: String
        /// The person who sends the request, by that machine's name. `nil` means its only guardian, or its only person.
        package var by: String?
        package var passcode: String?
        package var service: String
        package var route: String
        package var body: String
        /// The id of the request. A repeated request has the same id, so a change is made once.
        package var letter: String
        /// The maximum time that the service on the other machine may take.
        package var timeoutMs: Int64

        package init(
            machine: String,
            by: String? = nil,
            passcode: String? = nil,
            service: String,
            route: String,
            body: String,
            letter: String,
            timeoutMs: Int64
        ) {
            self.letter = letter
            self.timeoutMs = timeoutMs
            self.machine = machine
            self.by = by
            self.passcode = passcode
            self.service = service
            self.route = route
            self.body = body
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var body: String

        package init(body: String) { self.body = body }
    }

    package static let timeoutMsMax: Int64 = 45_000
    package static let name = "link.ask"
    package static let kind = RouteKind.query
    package static let isConfidential = true
    package static let summary =
        "Forwards a request to a service of another machine, with a person's passcode on that machine."
}

/// Deletes copies of rows that their own machine has deleted, and lists the next copies from that machine.
package enum UsageCopies: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var device: String
        /// The last row of the previous reply, or 0 for the first request.
        package var after: Int64
        /// The rows to delete on this machine.
        package var gone: [String]

        package init(device: String, after: Int64, gone: [String]) {
            self.device = device
            self.after = after
            self.gone = gone
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var segments: [String]
        /// The last row of this reply. `nil` if there are no more rows.
        package var last: Int64?

        package init(segments: [String], last: Int64?) {
            self.segments = segments
            self.last = last
        }
    }

    package static let rowsMax = 400
    package static let name = "usage.copies"
    package static let kind = RouteKind.write
    /// Only link-service, because another program could reduce the usage of other machines.
    package static let caller: ServiceName? = .link
    package static let summary =
        "Deletes copies of rows that their own machine has deleted, and lists the next copies from that "
        + "machine. Copies of a child's usage remain."
}

package enum RemoteUsageRoute: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var devices: [HouseholdDeviceName]
        /// Rows of these machines, by the clock of this one.
        package var rows: [Segment]
        /// All usage that is under way on these machines.
        package var open: [OpenUsageInterval]

        package init(devices: [HouseholdDeviceName], rows: [Segment], open: [OpenUsageInterval]) {
            self.devices = devices
            self.rows = rows
            self.open = open
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var added: Int64
        package var duplicates: Int64
        /// The number of rows that were rejected as impossible. `why` is the reason for the last one.
        package var aside: Int64?
        package var why: Problem?

        package init(added: Int64, duplicates: Int64, aside: Int64? = nil, why: Problem? = nil) {
            self.added = added
            self.duplicates = duplicates
            self.aside = aside
            self.why = why
        }
    }

    package static let rowsMax = 200
    package static let openMax = 200
    package static let name = "usage.elsewhere"
    package static let kind = RouteKind.write
    /// Only link-service, because another program could reduce the usage of other machines.
    package static let caller: ServiceName? = .link
    package static let summary =
        "Adds members' usage on other machines of the household, which then counts on this machine too."
}

package import STPlatform

/// A person of a machine and their name in the household. Equal names need not mean the same person.
package struct HouseholdAccount: WireBody, Codable, Equatable {
    package static let max = 50

    /// The name of the person on the machine.
    package var here: String
    /// The name of the person in the household.
    package var member: String

    package init(here: String, member: String) {
        self.here = here
        self.member = member
    }
}

/// A machine of the household.
package struct HouseholdDevice: WireBody, Codable, Equatable {
    package var device: String
    package var name: String
    package var accounts: [HouseholdAccount]
    package var joinedAt: String
    /// The time of the machine's last request. `nil` if there was none yet.
    package var seenAt: String?
    package var isConnected: Bool
    /// The number of usage intervals that the household has stored for the machine.
    package var rows: Int64
    /// The difference between the clocks of the household and the machine, if it is more than a few seconds.
    package var clockOffMs: Int64?
    /// The number of uploads from which the household rejected implausible usage intervals.
    package var aside: Int64?
    /// The guardians of children on the machine when it was approved. On a trusted machine, they can loosen children's rules for
    /// all machines.
    package var guardians: [String]?
    /// The guardian to whom the phone belongs. `nil` if the machine is not a guardian's phone.
    package var phoneOf: String?
    /// The breaks in the machine's records, oldest first.
    package var breaks: [RecordBreak]?
    /// The time at which the machine made new keys. `nil` if it has its first keys.
    package var renewedAt: String?
    /// The class and hours of a teacher's phone, which can only give lessons.
    package var lessons: HouseholdLessons?
    /// The time at which the machine last rejoined without its data. `nil` if it never did.
    package var backAt: String?
    /// True if the machine's guardians may loosen children's rules on all machines.
    package var isTrusted: Bool?
    /// The time at which the machine left the household. `nil` if it did not leave.
    package var leftAt: String?

    package init(
        device: String,
        name: String,
        accounts: [HouseholdAccount],
        joinedAt: String,
        seenAt: String? = nil,
        isConnected: Bool,
        rows: Int64,
        clockOffMs: Int64? = nil,
        aside: Int64? = nil,
        guardians: [String]? = nil,
        phoneOf: String? = nil,
        breaks: [RecordBreak]? = nil,
        renewedAt: String? = nil,
        lessons: HouseholdLessons? = nil,
        backAt: String? = nil,
        isTrusted: Bool? = nil,
        leftAt: String? = nil
    ) {
        self.device = device
        self.name = name
        self.accounts = accounts
        self.joinedAt = joinedAt
        self.seenAt = seenAt
        self.isConnected = isConnected
        self.rows = rows
        self.clockOffMs = clockOffMs
        self.aside = aside
        self.guardians = guardians
        self.phoneOf = phoneOf
        self.breaks = breaks
        self.renewedAt = renewedAt
        self.lessons = lessons
        self.backAt = backAt
        self.isTrusted = isTrusted
        self.leftAt = leftAt
    }
}

package enum HouseholdShow: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        /// The address at which other machines reach the household. `nil` if no household was started on this machine.
        package var address: String?
        package var devices: [HouseholdDevice]
        package var guests: [HouseholdGuest]
        /// The people whose usage the household stores.
        package var members: [String]
        /// The number of invitations that can still be used.
        package var invitations: Int64
        package var tokens: [HouseholdToken.Open]?
        /// The number of days for which the household keeps usage. `nil` means for ever.
        package var keepDays: Int64?
        /// The progress of the household's new key. `nil` if there is no new key.
        package var rekey: HouseholdRekey.Reply?

        package init(
            address: String?,
            devices: [HouseholdDevice],
            guests: [HouseholdGuest],
            members: [String],
            invitations: Int64,
            tokens: [HouseholdToken.Open]? = nil,
            keepDays: Int64? = nil,
            rekey: HouseholdRekey.Reply? = nil
        ) {
            self.address = address
            self.devices = devices
            self.guests = guests
            self.members = members
            self.invitations = invitations
            self.tokens = tokens
            self.keepDays = keepDays
            self.rekey = rekey
        }
    }

    package static let name = "household.show"
    package static let kind = RouteKind.query
    package static let summary = "Returns the household's machines, and those that wait for approval."
}

/// The properties by which usage is summed up.
package enum HouseholdSumKey: String, WireEnum, CaseIterable {
    case member, device, day, hour, app, site, category, group, unknown
}

/// Returns the total usage of a period on all machines together.
package enum HouseholdSums: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The first day, such as `2026-11-27`. `through` is the last day.
        package var from: String
        package var through: String
        package var by: [HouseholdSumKey]
        /// The people. `nil` means all.
        package var members: [String]?
        /// The members of groups, such as the classes of a school, for sums by group.
        package var groups: [Group]?

        package init(
            from: String,
            through: String,
            by: [HouseholdSumKey],
            members: [String]? = nil,
            groups: [Group]? = nil
        ) {
            self.from = from
            self.through = through
            self.by = by
            self.members = members
            self.groups = groups
        }
    }

    package struct Group: WireBody, Codable, Equatable {
        package var name: String
        package var members: [String]

        package init(name: String, members: [String]) {
            self.name = name
            self.members = members
        }
    }

    package struct Sum: WireBody, Codable, Equatable {
        package var member: String?
        package var device: String?
        package var day: String?
        package var hour: Int64?
        package var app: String?
        package var site: String?
        package var category: String?
        package var group: String?
        package var ms: Int64

        package init(ms: Int64) { self.ms = ms }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The sums, longest first.
        package var sums: [Sum]
        /// True if there are more sums than the reply can contain.
        package var isCut: Bool

        package init(sums: [Sum], isCut: Bool) {
            self.sums = sums
            self.isCut = isCut
        }
    }

    package static let name = "household.sums"
    package static let kind = RouteKind.query
    package static let daysMax = 3_660
    package static let summary = "Returns the household's usage in a period, summed by chosen properties."
}

package enum HouseholdStart: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The address at which other machines reach this one, as `HOST:PORT`.
        package var address: String
        package var proof: Proof?

        package init(address: String, proof: Proof? = nil) {
            self.address = address
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var address: String

        package init(address: String) { self.address = address }
    }

    package static let name = "household.start"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let portDefault = 7_415
    package static let summary =
        "Starts a household on this machine, or changes the household's address. "
        + "On a child's machine, a change requires a guardian's passcode if one is set."
}

package enum HouseholdInvite: Route {
    package typealias Request = Empty

    package struct Reply: WireBody, Codable, Equatable {
        package var code: String
        package var until: String

        package init(code: String, until: String) {
            self.code = code
            self.until = until
        }
    }

    package static let name = "household.invite"
    package static let kind = RouteKind.write
    package static let discardsReply = true
    package static let lastsMs: Int64 = 600_000
    package static let summary = "Creates a code, valid for ten minutes, for one machine's request to join."
}

package enum HouseholdConfirm: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var number: String
        package var proof: Proof?

        package init(number: String, proof: Proof? = nil) {
            self.number = number
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var device: HouseholdDevice

        package init(device: HouseholdDevice) { self.device = device }
    }

    package static let name = "household.confirm"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Approves the machine that shows this number. "
        + "On a child's machine, requires a guardian's passcode if one is set."
}

package enum HouseholdRemove: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The name or the id of the machine.
        package var device: String
        package var proof: Proof?

        package init(device: String, proof: Proof? = nil) {
            self.device = device
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var name: String
        package var rows: Int64

        package init(name: String, rows: Int64) {
            self.name = name
            self.rows = rows
        }
    }

    package static let name = "household.remove"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Removes a machine from the household, but keeps its recorded usage. "
        + "On a child's machine, requires a guardian's passcode if one is set."
}

// Requests of other machines.

package enum HouseholdJoin: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        /// The public key that the machine will use.
        package var key: String
        /// The people of the machine. If empty, the reply only describes the household.
        package var accounts: [HouseholdAccount]
        /// The guardians of children on the machine, by the machine's names.
        package var guardians: [String]?
        /// A digest of the properties that a machine keeps even if it loses all other data, in hexadecimal digits. With it, the
        /// machine rejoins as the same machine.
        package var identity: String?
        /// True if the machine is a protected computer, on which no person's account can read its key.
        package var isProtected: Bool?

        package init(
            name: String,
            key: String,
            accounts: [HouseholdAccount],
            guardians: [String]? = nil,
            identity: String? = nil,
            isProtected: Bool? = nil
        ) {
            self.name = name
            self.key = key
            self.accounts = accounts
            self.guardians = guardians
            self.identity = identity
            self.isProtected = isProtected
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var members: [String]
        /// The number that both machines show. `nil` until the machine has requested to join.
        package var number: String?
        /// The id of the machine. `nil` until a person has approved the machine.
        package var device: String?

        package init(members: [String], number: String? = nil, device: String? = nil) {
            self.members = members
            self.number = number
            self.device = device
        }
    }

    package static let nameBytesMax = 64
    package static let identityBytes = 32
    package static let name = "household.join"
    package static let kind = RouteKind.write
    package static let access = Access.invited
    package static let discardsReply = true
    package static let summary = "Requests to join the household. Returns the machine's id once admitted."
}

/// The position up to which the household has received a machine's stream `usage`.
package struct HouseholdCursor: WireBody, Codable, Equatable {
    package var epoch: String?
    package var sequence: Int64?
    package var id: String?

    package init(epoch: String? = nil, sequence: Int64? = nil, id: String? = nil) {
        self.epoch = epoch
        self.sequence = sequence
        self.id = id
    }
}

/// A usage interval that is under way on a machine.
package struct OpenUsageInterval: WireBody, Codable, Equatable {
    package var segment: Segment
    /// The time between the last report of the interval and the sending of this message.
    package var agoMs: Int64

    package init(segment: Segment, agoMs: Int64) {
        self.segment = segment
        self.agoMs = agoMs
    }
}

package enum HouseholdPush: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The position that this upload continues. The household accepts the upload only at this position. An empty position
        /// restarts the stream.
        package var after: HouseholdCursor
        /// The position after the upload.
        package var through: HouseholdCursor
        package var rows: [Segment]
        /// All usage that is under way on the machine.
        package var open: [OpenUsageInterval]
        /// True if no more rows wait on the machine.
        package var isWhole: Bool
        /// The machine's wall-clock time when it sends the upload.
        package var wallMs: Int64
        package var records: RecordDigest?
        /// The household's next public key, if the machine has received it.
        package var nextKey: String?

        package init(
            after: HouseholdCursor,
            through: HouseholdCursor,
            rows: [Segment],
            open: [OpenUsageInterval],
            isWhole: Bool,
            wallMs: Int64,
            records: RecordDigest? = nil,
            nextKey: String? = nil
        ) {
            self.after = after
            self.through = through
            self.rows = rows
            self.open = open
            self.isWhole = isWhole
            self.wallMs = wallMs
            self.records = records
            self.nextKey = nextKey
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The household's position, from which the machine continues.
        package var cursor: HouseholdCursor
        /// The reason why a usage interval was rejected. `nil` if none was.
        package var why: Problem?
        /// The row of each record whose link the household has noted.
        package var noted: [String: Int64]?

        package init(cursor: HouseholdCursor, why: Problem? = nil, noted: [String: Int64]? = nil) {
            self.cursor = cursor
            self.why = why
            self.noted = noted
        }
    }

    package static let rowsMax = 500
    /// Upper bound on the usage under way. One person uses a machine at a time, rarely two.
    package static let openMax = 20
    package static let name = "household.push"
    package static let kind = RouteKind.write
    package static let access = Access.device
    package static let discardsReply = true
    package static let summary =
        "Stores the usage of a machine, including usage that is under way. Accepts each part only once."
}

package enum HouseholdPull: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The last received position of each person, by the household's names.
        package var after: [String: Int64]
        /// The number of the last received change of usage that is under way.
        package var news: Int64
        /// The maximum time to wait for news.
        package var waitMs: Int64
        /// The numbering to which the positions in `after` belong, from the last reply.
        package var places: String?
        /// The letters that the machine has received and not yet confirmed. `nil` if the machine takes no letters.
        package var holding: [String]?
        /// `rules` of the last reply. `nil` if changes of rules do not end the wait.
        package var rules: Int64?
        /// The sum of `forgets` of the last reply. `nil` if deleted rows do not end the wait.
        package var forgets: Int64?
        /// `requests` of the last reply. `nil` if grants on other machines do not end the wait.
        package var requests: Int64?

        package init(
            after: [String: Int64],
            news: Int64,
            waitMs: Int64,
            places: String? = nil,
            holding: [String]? = nil,
            rules: Int64? = nil,
            forgets: Int64? = nil,
            requests: Int64? = nil
        ) {
            self.after = after
            self.news = news
            self.waitMs = waitMs
            self.places = places
            self.holding = holding
            self.rules = rules
            self.forgets = forgets
            self.requests = requests
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var devices: [HouseholdDeviceName]
        package var accounts: [HouseholdAccount]
        /// Rows of other machines, with the household's names of people and the machine's id.
        package var rows: [Segment]
        package var open: [OpenUsageInterval]
        /// The position up to which each person's rows have been read.
        package var through: [String: Int64]
        package var news: Int64
        /// The household's wall-clock time, by which the times of all rows are set.
        package var wallMs: Int64
        package var more: Bool
        /// The numbering of the positions. If it changes, the machine reads from the beginning again.
        package var places: String
        /// The addresses of the household. `nil` means only the address of this connection.
        package var addresses: [String]?
        /// The letters to the machine. The reply contains no rows until the machine has these letters.
        package var letters: [HouseholdMessage]?
        /// The number of accepted changes to the rules of the machine's people.
        package var rules: Int64?
        /// The number of times that each other machine of these people has deleted rows.
        package var forgets: [String: Int64]?
        /// A number that changes with the requests on other machines of these people.
        package var requests: Int64?
        /// The household's next public key. `nil` if the household keeps its key.
        package var nextKey: String?

        package init(
            devices: [HouseholdDeviceName],
            accounts: [HouseholdAccount],
            rows: [Segment],
            open: [OpenUsageInterval],
            through: [String: Int64],
            news: Int64,
            wallMs: Int64,
            more: Bool,
            places: String,
            addresses: [String]? = nil,
            letters: [HouseholdMessage]? = nil,
            rules: Int64? = nil,
            forgets: [String: Int64]? = nil,
            requests: Int64? = nil,
            nextKey: String? = nil
        ) {
            self.devices = devices
            self.accounts = accounts
            self.rows = rows
            self.open = open
            self.through = through
            self.news = news
            self.wallMs = wallMs
            self.more = more
            self.places = places
            self.addresses = addresses
            self.letters = letters
            self.rules = rules
            self.forgets = forgets
            self.requests = requests
            self.nextKey = nextKey
        }
    }

    package static let waitMsMax: Int64 = 20_000
    package static let name = "household.pull"
    package static let kind = RouteKind.query
    package static let access = Access.device
    package static let summary =
        "Returns the usage of the machine's people on other machines. Waits a while if there is nothing new."
}

/// Returns the rows of a machine that the household does not have, or no longer has.
package enum HouseholdGone: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var device: String
        package var segments: [String]

        package init(device: String, segments: [String]) {
            self.device = device
            self.segments = segments
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var gone: [String]

        package init(gone: [String]) { self.gone = gone }
    }

    package static let name = "household.gone"
    package static let kind = RouteKind.query
    package static let access = Access.device
    package static let summary = "Returns which of the named rows the household does not store."
}

package struct HouseholdDeviceName: WireBody, Codable, Equatable {
    package var device: String
    package var name: String

    package init(device: String, name: String) {
        self.device = device
        self.name = name
    }
}

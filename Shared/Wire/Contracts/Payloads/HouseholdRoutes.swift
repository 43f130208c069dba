package import STPlatform

/// A person of a machine, and who that is in the household: equal names need not mean the same person.
package struct HouseholdAccount: WireBody, Codable, Equatable {
    package static let max = 50

    /// As the machine calls this person.
    package var here: String
    /// As the household does.
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
    /// When it was last heard of; nil: not yet.
    package var seenAt: String?
    package var isConnected: Bool
    /// How many stretches of use the household has of it.
    package var rows: Int64
    /// How far its clock is from the household's, when that is more than a few seconds.
    package var clockOffMs: Int64?
    /// How many stretches were left out because they cannot be true.
    package var aside: Int64?
    /// Who looked after children there when it was let in: what they loosen there is loosened everywhere.
    package var guardians: [String]?
    /// The guardian whose phone it is; nil: it is a computer.
    package var phoneOf: String?
    /// Where its records do not go on from what the household had noted, the oldest first.
    package var breaks: [RecordBreak]?
    /// When it made new keys; nil: it has those with which it came.
    package var renewedAt: String?
    /// It is a teacher's phone, and does nothing but lessons.
    package var lessons: HouseholdLessons?
    /// When it last came back without what it knew; nil: it never did.
    package var backAt: String?
    /// Whether the machine's guardians may loosen children's rules on all machines.
    package var isTrusted: Bool?
    /// The time at which the machine left the household. Nil if it did not leave.
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
        /// Where other machines reach it; nil: no household was started here.
        package var address: String?
        package var devices: [HouseholdDevice]
        package var guests: [HouseholdGuest]
        /// The people whose use the household knows.
        package var members: [String]
        /// Invitations that can still be used.
        package var invitations: Int64
        package var tokens: [HouseholdToken.Open]?
        /// For how many days it keeps what was used; nil: for ever.
        package var keepDays: Int64?
        /// Of the household's new key; nil: none is under way.
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
    package static let summary = "The machines of the household, and those that want to join."
}

/// By what sums are made.
package enum HouseholdSumKey: String, WireEnum, CaseIterable {
    case member, device, day, hour, app, site, category, group, unknown
}

/// What all machines together know of a time, added up.
package enum HouseholdSums: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The first day and the last, as `2026-11-27`.
        package var from: String
        package var through: String
        package var by: [HouseholdSumKey]
        /// Nil: all.
        package var members: [String]?
        /// Who is in which group, such as a class of a school, for `by` group.
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
        /// The longest first.
        package var sums: [Sum]
        /// There are more than fit.
        package var isCut: Bool

        package init(sums: [Sum], isCut: Bool) {
            self.sums = sums
            self.isCut = isCut
        }
    }

    package static let name = "household.sums"
    package static let kind = RouteKind.query
    package static let daysMax = 3_660
    package static let summary = "How long people of the household used what, on all machines together."
}

package enum HouseholdStart: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// `HOST:PORT`, as other machines reach this one.
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
        "Starts a household on this machine, or moves it to another address. For a child a guardian decides on a move."
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
    package static let keepsNoReply = true
    package static let lastsMs: Int64 = 600_000
    package static let summary = "Makes a code with which one machine can ask to join, for ten minutes."
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
        "Lets the machine in that shows this number. Where a child lives a guardian decides."
}

package enum HouseholdRemove: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Its name or its id.
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
        "Puts a machine out of the household, at once; what it told stays. For a child a guardian decides."
}

// What other machines ask.

package enum HouseholdJoin: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        /// The public key that the machine will have.
        package var key: String
        /// Empty: only tells what the household is.
        package var accounts: [HouseholdAccount]
        /// Who looks after children there, as this machine calls them.
        package var guardians: [String]?
        /// The digest of what stays the same of a machine that forgets all else, as hexadecimal digits: it comes back as the machine that
        /// it was.
        package var identity: String?
        /// Whether the machine is a protected computer, on which no person's account can read its key.
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
        /// What both machines show; nil while nothing was asked.
        package var number: String?
        /// The id of the machine, once a person has let it in.
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
    package static let keepsNoReply = true
    package static let summary = "Asks to let this machine in, and whether it was."
}

/// How much of a machine's stream `usage` the household has.
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

/// What is under way in front of a person on a machine.
package struct OpenStretch: WireBody, Codable, Equatable {
    package var segment: Segment
    /// How long before this was sent it was known to go on.
    package var agoMs: Int64

    package init(segment: Segment, agoMs: Int64) {
        self.segment = segment
        self.agoMs = agoMs
    }
}

package enum HouseholdPush: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// Where the household must stand for this to follow.
        package var after: HouseholdCursor
        /// Where it stands afterwards.
        package var through: HouseholdCursor
        package var rows: [Segment]
        /// All that is under way on the machine.
        package var open: [OpenStretch]
        /// Nothing more is waiting on the machine.
        package var isWhole: Bool
        /// The clock of the machine, as it sends this.
        package var wallMs: Int64
        package var records: RecordWord?
        /// The public key that the household will have, as this machine has heard of it.
        package var nextKey: String?

        package init(
            after: HouseholdCursor,
            through: HouseholdCursor,
            rows: [Segment],
            open: [OpenStretch],
            isWhole: Bool,
            wallMs: Int64,
            records: RecordWord? = nil,
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
        /// Where the household stands: the machine goes on from there.
        package var cursor: HouseholdCursor
        /// Why a stretch was left out; nil: none was.
        package var why: Problem?
        /// Of which row of each record the household knows the link.
        package var noted: [String: Int64]?

        package init(cursor: HouseholdCursor, why: Problem? = nil, noted: [String: Int64]? = nil) {
            self.cursor = cursor
            self.why = why
            self.noted = noted
        }
    }

    package static let rowsMax = 500
    /// A machine has one person in front of it, seldom two.
    package static let openMax = 20
    package static let name = "household.push"
    package static let kind = RouteKind.write
    package static let access = Access.device
    package static let keepsNoReply = true
    package static let summary =
        "Takes what a machine's people used, each part of its stream once, and what is under way there."
}

package enum HouseholdPull: Route {
    package struct Request: WireBody, Codable, Equatable {
        /// The last place that is known of each person, by the household's names.
        package var after: [String: Int64]
        /// The last change of what is under way that is known.
        package var news: Int64
        /// How long to wait for something new.
        package var waitMs: Int64
        /// Of which places `after` is one, as the last reply said.
        package var places: String?
        /// Letters that the machine has, and has not taken yet; nil: it takes none.
        package var holding: [String]?
        /// As the last reply said; nil: changes of rules are no news.
        package var rules: Int64?
        /// Together, as the last reply said; nil: that rows were deleted is no news.
        package var forgets: Int64?
        /// As the last reply said; nil: what is granted on other machines is no news.
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
        /// Of other machines, with the household's names of people and the machine's id.
        package var rows: [Segment]
        package var open: [OpenStretch]
        /// How far each person has been read.
        package var through: [String: Int64]
        package var news: Int64
        /// The clock of the household, by which the times of all rows are set.
        package var wallMs: Int64
        package var more: Bool
        /// Whose numbers places are: with another one, reading begins anew.
        package var places: String
        /// Where the household can be reached; nil: there alone where this was asked.
        package var addresses: [String]?
        /// Letters to the machine; the rows wait until it has those.
        package var letters: [HouseholdLetter]?
        /// How many changes of their rules the household has taken.
        package var rules: Int64?
        /// How often each other machine of its people has deleted rows.
        package var forgets: [String: Int64]?
        /// Another number once there is something new of requests on its people's other machines.
        package var requests: Int64?
        /// The public key that the household will have; nil: it keeps the one it has.
        package var nextKey: String?

        package init(
            devices: [HouseholdDeviceName],
            accounts: [HouseholdAccount],
            rows: [Segment],
            open: [OpenStretch],
            through: [String: Int64],
            news: Int64,
            wallMs: Int64,
            more: Bool,
            places: String,
            addresses: [String]? = nil,
            letters: [HouseholdLetter]? = nil,
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
        "What the same people used on other machines; waits a while for something new."
}

/// Which rows of a machine the household has not (any more).
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
    package static let summary = "Which rows of a machine were deleted there, so that no copy of them stays."
}

package struct HouseholdDeviceName: WireBody, Codable, Equatable {
    package var device: String
    package var name: String

    package init(device: String, name: String) {
        self.device = device
        self.name = name
    }
}

package import STBus
package import STContracts
import STCrypto
package import STFollowing
import STPlatform

/// The memory of household-service: its machines, who may knock, and what is under way on each.
package struct HouseholdState: Sendable, Equatable {
    /// A machine that belongs to the household, or did.
    package struct Device: Sendable, Equatable {
        package var id: String
        package var name: String
        /// The machine's public key.
        package var key: [UInt8]
        package var accounts: [HouseholdAccount]
        package var joinedMs: Int64
        /// What stays of a machine that was put out: the name of what it used.
        package var isRemoved = false
        package var cursor = HouseholdCursor()
        /// Its ledger was begun anew: what it sends replaces what it sent before.
        package var isAnew = false
        package var rows: Int64 = 0
        package var seenMs: Int64?
        package var clockOffMs: Int64 = 0
        /// Stretches that cannot be true, and were left out.
        package var aside: Int64 = 0

        func member(_ here: String) -> String? { accounts.first { $0.here == here }?.member }
    }

    package struct Invitation: Sendable, Equatable {
        package var id: String
        /// The public key of the machine that has the code.
        package var key: [UInt8]
        package var untilMs: Int64
        /// The key of the machine that has used it: no other one may.
        package var usedBy: [UInt8]?
    }

    /// A machine that waits for a person's word.
    package struct Guest: Sendable, Equatable {
        package var invitation: String
        package var name: String
        package var key: [UInt8]
        package var accounts: [HouseholdAccount]
        package var number: String
    }

    /// What a machine said is under way, and when it said so.
    struct Open: Sendable, Equatable {
        var stretches: [OpenStretch]
        var heardBootMs: Int64
    }

    /// Where other machines reach this one, and with which key.
    package struct Own: Sendable, Equatable {
        package var address: String
        package var secret: [UInt8]
        /// Of the numbers that `uses` gives to its rows: another one after an older copy was put back.
        package var places: String
    }

    package static let devicesMax = 1_000
    static let invitationsMax = 20

    /// The people of this machine.
    package var household = Household()
    package var own: Own?
    /// In the order in which they joined.
    package var devices: [Device] = []
    package var invitations: [Invitation] = []
    package var guests: [Guest] = []
    var open: [String: Open] = [:]
    package var lastPlace: Int64 = 0
    /// An older copy of the database was put back just now.
    var isRestored = false
    /// The last change of what is under way on each machine, by a number that grows.
    private var news: [String: Int64] = [:]
    var lastNews: Int64 = 0

    mutating func noteNews(of device: String) {
        lastNews += 1
        news[device] = lastNews
    }

    /// The last change that the people of another machine can hear of.
    package func news(besides device: String) -> Int64 {
        news.filter { $0.key != device }.map(\.value).max() ?? 0
    }

    var present: [Device] { devices.filter { !$0.isRemoved } }

    /// The people whose use the household knows, by its names.
    var members: [String] { Set(present.flatMap { $0.accounts.map(\.member) }).sorted() }

    /// The keys that may connect at this moment.
    package func admitted(wallMs: Int64) -> [[UInt8]: Principal.Remote] {
        var keys: [[UInt8]: Principal.Remote] = [:]
        for invitation in invitations where invitation.untilMs > wallMs {
            keys[invitation.key] = .invitation(invitation.id)
        }
        for device in present { keys[device.key] = .device(device.id) }
        return keys
    }

    /// When an invitation ends next.
    package func dueMs(after wallMs: Int64) -> Int64? {
        invitations.map(\.untilMs).filter { $0 > wallMs }.min()
    }

    func device(_ remote: Principal.Remote?) throws -> Int {
        guard case .device(let id) = remote,
            let index = devices.firstIndex(where: { $0.id == id && !$0.isRemoved })
        else {
            throw Problem(
                "household.not_a_member",
                "This machine does not belong to the household. Join it again with a new code.",
                help: "screentime household join CODE"
            )
        }
        return index
    }

    func invitation(_ remote: Principal.Remote?, wallMs: Int64) throws -> Invitation {
        guard case .invitation(let id) = remote,
            let found = invitations.first(where: { $0.id == id && $0.untilMs > wallMs })
        else {
            throw Problem(
                "household.invitation_over",
                "This invitation is over: it lasts ten minutes. Ask for a new code.",
                help: "screentime household invite"
            )
        }
        return found
    }

    /// What is under way on other machines for the people of one, as old as it is now.
    func open(besides device: Device, nowBootMs: Int64) -> [OpenStretch] {
        let members = Set(device.accounts.map(\.member))
        let all = open.sorted { $0.key < $1.key }.filter { $0.key != device.id }
            .flatMap { _, held in
                held.stretches.filter { members.contains($0.segment.member) }
                    .map {
                        OpenStretch(
                            segment: $0.segment,
                            agoMs: $0.agoMs + max(0, nowBootMs - held.heardBootMs)
                        )
                    }
            }
        return Array(all.prefix(UsageElsewhere.openMax))
    }

    package func view(_ device: Device, seenMs: Int64? = nil, isConnected: Bool = false) -> HouseholdDevice {
        HouseholdDevice(
            device: device.id,
            name: device.name,
            accounts: device.accounts,
            joinedAt: RFC3339.text(wallMs: device.joinedMs),
            seenAt: [device.seenMs, seenMs].compactMap(\.self).max().map { RFC3339.text(wallMs: $0) },
            isConnected: isConnected,
            rows: device.rows,
            clockOffMs: device.clockOffMs == 0 ? nil : device.clockOffMs,
            aside: device.aside == 0 ? nil : device.aside
        )
    }
}

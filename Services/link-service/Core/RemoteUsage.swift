package import STContracts
import STCrypto
package import STPlatform

/// The usage of other machines in a reply of the household, with this machine's names of people and times by its clock.
package struct RemoteUsage: Sendable {
    private static let addressesMax = 64
    /// The maximum difference of synchronised clocks.
    private static let clockTolerance = Duration.seconds(2)

    /// The usage for activity-center.
    package let request: RemoteUsageRoute.Request
    package let elsewhere: [LinkRemoteUsage]
    package let through: [String: Int64]
    package let places: String
    /// Other addresses of the household.
    package let addresses: [String]
    private let nextKey: [UInt8]?

    package init(
        _ reply: HouseholdPull.Reply,
        for membership: LinkServiceState.Membership,
        at now: WallTime
    ) throws {
        // Do not use the accounts in the reply. They could assign a person's usage to another person of this machine.
        let people = AccountNames(membership.accounts)
        guard reply.wallMs.magnitude < 1 << 53, reply.open.allSatisfy({ $0.agoMs >= 0 }) else {
            throw Problem(
                "household.bad_clock",
                "The machine sent an invalid time.",
                field: "/wall_ms"
            )
        }
        let offset = now - WallTime(ms: reply.wallMs)
        func row(_ sent: Segment) -> Segment? {
            guard var row = people.received(sent, \.member) else { return nil }
            if abs(offset.ms) > Self.clockTolerance.ms, sent.startWallMs.magnitude < 1 << 53 {
                row.startWallMs += offset.ms
            }
            return row
        }
        let open = reply.open.compactMap { open in
            row(open.segment).map { OpenUsageInterval(segment: $0, agoMs: open.agoMs) }
        }
        let used = Set((reply.rows + reply.open.map(\.segment)).compactMap(\.device))
        let devices = reply.devices.filter { used.contains($0.device) }
        request = .init(devices: devices, rows: reply.rows.compactMap(row), open: open)
        let names = Dictionary(devices.map { ($0.device, $0.name) }) { first, _ in first }
        elsewhere = open.map { open in
            LinkRemoteUsage(
                member: open.segment.member,
                device: names[open.segment.device ?? ""] ?? "",
                app: open.segment.app,
                domain: open.segment.domain,
                sinceMs: open.segment.startWallMs
            )
        }
        (through, places) = (reply.through, reply.places)
        addresses = (reply.addresses ?? []).prefix(Self.addressesMax).filter {
            $0 != membership.address && (try? InvitationCode.checked(address: $0)) != nil
        }
        let key = reply.nextKey.flatMap { TextFormat.bytes(hex: $0) }
        nextKey = key?.count == KeyPair.bytes ? key : nil
    }

    /// The household's announced next key, if this machine does not have it yet.
    package func nextKey(unknownTo state: LinkServiceState) -> [UInt8]? {
        guard let membership = state.membership,
            ![membership.nextServer, membership.server].contains(nextKey)
        else { return nil }
        return nextKey
    }

    /// True if the state already contains everything that the reply reports.
    package func isRecorded(in state: LinkServiceState) -> Bool {
        guard let membership = state.membership else { return false }
        return membership.read == through && membership.places == places && membership.others == addresses
            && state.contact.elsewhere == elsewhere
    }
}

import STContracts
import STDomain
import STEngine
package import STPlatform
import STPostgres
package import STStore

/// Where a household is kept: a file of this service, or a PostgreSQL that several services share.
///
/// Requests change the state in memory and note what that leaves to be written; a store writes it when their transaction ends,
/// all of it or nothing.
protocol HouseholdStore {
    func save(_ state: inout HouseholdState) throws
    /// What a member used that a machine does not know itself, after a place, and the place of the last row that there is of this member.
    func rows(of member: String, after place: Int64, for device: HouseholdState.Device, limit: Int) throws
        -> UsedPage
    /// Which of these rows of a machine there are not.
    func missing(_ segments: [String], of device: String) throws -> [String]
    func sums(_ ask: SumsAsk) throws -> [SumsRow]
    /// Deletes a part of what was used before a day, and then its sums; returns how many stretches that were of each machine.
    func forget(before day: Int64) throws -> [String: Int]
    /// The secret key of the household, which is the one given when there was none.
    func agree(on secret: [UInt8]) throws -> [UInt8]
}

/// What a change of the state leaves to be written.
enum HouseholdChange: Sendable, Equatable {
    /// A machine, as it is in the end.
    case device(String)
    case invitation(HouseholdState.Invitation)
    case invitationOver(String)
    case guest(HouseholdState.Guest)
    case guestGone(invitation: String)
    case letter(HouseholdState.Letter)
    case letterGone(String)
    case rule(HouseholdRule)
    /// `isAnew`: some of them may have been here before.
    case used([UsedRow], device: String, epoch: String, isAnew: Bool)
    /// The machine has told all that it has: what it told before and has not any more is deleted.
    case whole(device: String, epoch: String)
    /// The machine has come back without what it knew: its rows stay, as rows of its past.
    case back(String)
    case open(String)
    /// The household's key and the next one, and those before.
    case keys(HouseholdState.Own, before: HouseholdState.Own)
    /// This service can be reached here, and not there any more.
    case door(String, before: String?)

    /// The ledger of rows that a machine told before it came back without what it knew.
    static let past = ""

    var isWhole: Bool { if case .whole = self { true } else { false } }
}

/// A stretch of a machine, ready to be kept.
struct UsedRow: Sendable, Equatable {
    var segment: Segment
    var body: [UInt8]
    /// What the clock on the wall showed as it began.
    var localMs: Int64

    /// `localMs` is known of a row that was kept: what its zone says of that time may have been corrected since.
    init(_ segment: Segment, localMs: Int64? = nil) throws {
        self.segment = segment
        body = try segment.encodedBody()
        self.localMs = localMs ?? (ZoneRules.of(segment.zone) ?? .utc).localMs(atMs: segment.startWallMs)
    }

    /// Whether it stands in sums: a person was there, and no shield in front.
    var isUse: Bool { segment.presence == .active && segment.shielded != true && localMs >= 0 }

    static let hourMs: Int64 = 3_600_000
    static let dayMs = 24 * hourMs

    /// What falls into each hour, counted from 1970 on.
    var hours: [(hour: Int64, ms: Int64)] {
        guard isUse, segment.durationMs > 0 else { return [] }
        let endMs = localMs + segment.durationMs
        return (localMs / Self.hourMs...(endMs - 1) / Self.hourMs).map { hour in
            (hour, min(endMs, (hour + 1) * Self.hourMs) - max(localMs, hour * Self.hourMs))
        }
    }
}

struct UsedPage {
    var rows: [(place: Int64, body: [UInt8])] = []
    var head: Int64
}

/// A question for sums.
struct SumsAsk: Sendable {
    /// Days since 1970, as the clocks on the walls of the machines showed.
    var days: Range<Int64>
    /// Nil: all.
    var members: [String]?
    /// A member may be in several.
    var groups: [(name: String, members: Set<String>)] = []
    var by: Set<HouseholdSumKey>

    static let rowsMax = 2_000
}

struct SumsRow: Sendable, Equatable {
    var keys: [HouseholdSumKey: String]
    var ms: Int64
}

/// Who is who on a machine, and what is open there, as it stands in a row.
struct AccountList: WireBody, Codable {
    var accounts: [HouseholdAccount]
    var guardians: [String]?
    /// For a device, whether it is trusted. For a guest, whether it reports that it is a protected computer.
    var isTrusted: Bool?
    var children: [String]?
    var requests: DeviceRequests?
    var phone: HouseholdState.Phone?
    var token: String?
    var witness: Witness?
    var renewedMs: Int64?
    var identity: String?
    var backMs: Int64?
    var nextKey: String?
    var rowsMax: Int64?
    var rowsMaxMs: Int64?
    var leftMs: Int64?

    init(_ device: HouseholdState.Device) {
        (accounts, guardians, children) = (device.accounts, device.guardians, device.children)
        isTrusted = device.isTrusted ? true : nil
        (requests, witness) = (device.requests, device.witness)
        (phone, token, renewedMs) = (device.phone, device.token, device.renewedMs)
        (identity, backMs, nextKey) = (device.identity, device.backMs, device.nextKey)
        (rowsMax, leftMs) = (device.rowsMax, device.leftMs)
        rowsMaxMs = device.rowsMax == nil ? nil : device.rowsMaxMs
    }

    func device(id: String, name: String, key: [UInt8], joinedMs: Int64) -> HouseholdState.Device {
        var device = HouseholdState.Device(
            id: id,
            name: name,
            key: key,
            accounts: accounts,
            guardians: guardians ?? [],
            children: children ?? [],
            joinedMs: joinedMs
        )
        device.isTrusted = isTrusted == true
        device.requests = requests ?? DeviceRequests()
        device.witness = witness ?? Witness()
        (device.phone, device.token, device.renewedMs) = (phone, token, renewedMs)
        (device.identity, device.backMs, device.nextKey) = (identity, backMs, nextKey)
        (device.rowsMax, device.rowsMaxMs, device.leftMs) = (rowsMax, rowsMaxMs ?? 0, leftMs)
        return device
    }

    func guest(invitation: String, name: String, key: [UInt8], number: String) -> HouseholdState.Guest {
        HouseholdState.Guest(
            invitation: invitation,
            name: name,
            key: key,
            accounts: accounts,
            guardians: guardians ?? [],
            isProtected: isTrusted == true,
            number: number
        )
    }

    init(_ guest: HouseholdState.Guest) {
        accounts = guest.accounts
        guardians = guest.guardians
        isTrusted = guest.isProtected ? true : nil
    }
}

/// What is under way on a machine, as it stands in a row.
struct OpenList: WireBody, Codable {
    var open: [OpenStretch]
}

/// Finds the store of a service.
package struct HouseholdStores: Sendable {
    /// Of one step, so that requests come in between.
    static let forgottenMax = 20_000

    private let shared: SharedStore?
    /// How many days it keeps what was used; 0: for ever.
    let keepDays: Int64

    package init(_ address: String, keepDays: Int64 = 0) {
        shared = address.isEmpty ? nil : SharedStore(address)
        self.keepDays = keepDays
    }

    /// The first day that is kept, counted from 1970 as clocks on walls show it; nil: all of them.
    func firstDay(_ nowMs: Int64) -> Int64? { keepDays == 0 ? nil : nowMs / UsedRow.dayMs - keepDays }

    func of(_ database: Database) -> any HouseholdStore { shared ?? FileStore(database) }

    func load(_ database: Database) throws -> HouseholdState {
        var state = try HouseholdTables.load(database)
        guard let shared else {
            try FileStore(database).load(&state)
            return state
        }
        // A server that is away is asked again by the first request.
        do { try shared.refresh(&state, nowBootMs: Stopwatch.bootMilliseconds()) } catch
            where Problem(error).retryable
        {}
        return state
    }

    package var address: String? { shared?.address }

    package func isRead(_ state: HouseholdState) -> Bool { shared == nil || state.seen != nil }

    /// Refuses while the store has not been read yet: without it no machine is known.
    func requireSeen(_ state: HouseholdState) throws(Problem) {
        guard !isRead(state) else { return }
        throw Problem(
            PostgresConnection.away,
            "The household is stored in PostgreSQL, which has not answered yet. Try again in a moment.",
            key: "store.away.the-household-is",
            retryable: true
        )
    }

    /// Brings into memory what other services have changed.
    func refresh(_ state: inout HouseholdState, _ change: StoreTransaction) throws {
        try shared?.refresh(&state, nowBootMs: change.now.bootMs)
    }

    /// Before a request changes anything: after a failure, memory and database may differ.
    func ready(_ state: inout HouseholdState, _ change: StoreTransaction) throws {
        guard let shared, shared.epoch != state.seen?.epoch else { return }
        try shared.refresh(&state, nowBootMs: change.now.bootMs)
    }

    /// Brings a household that has outgrown its file into the shared store, a page with each call.
    package func move(_ database: Database) throws -> StartProgress? { try shared?.move(FileStore(database)) }
}

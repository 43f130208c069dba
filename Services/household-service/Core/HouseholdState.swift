package import STBus
package import STContracts
import STCrypto
package import STFollowing
package import STPlatform

/// The memory of household-service: its machines, the keys that may connect, and the present usage on each machine.
package struct HouseholdState: Sendable, Equatable {
    /// A machine that belongs to the household, or did.
    package struct Device: Sendable, Equatable {
        package var id: String
        package var name: String
        /// The machine's public key.
        package var key: [UInt8]
        package var accounts: [HouseholdAccount]
        /// The guardians on the machine when it was approved, by the machine's names.
        package var guardians: [String] = []
        /// True if these guardians may loosen children's rules on all machines. In personal mode, every program of the account can
        /// read the machine's key, so a guardian must trust the machine first.
        package var isTrusted = false
        /// The members of the household who are children on this machine now.
        package var children: [String] = []
        package var joinedAt: WallTime
        /// True for a removed machine. Its entry stays, because its usage still needs the name.
        package var isRemoved = false
        /// The moment at which the machine itself left the household.
        var leftAt: WallTime?
        package var cursor = HouseholdCursor()
        /// True if the machine's ledger is new: the rows that it sends replace those that it sent before.
        package var isRenewed = false
        package var rows: Int64 = 0
        package var seenAt: WallTime?
        package var clockOffset = Duration.zero
        /// Number of uploads with implausible intervals, which were ignored.
        package var rejectedUploads: Int64 = 0
        /// Number of times that rows of the machine were deleted.
        package var deletionCount: Int64 = 0
        package var requests = DeviceRequests()
        package var auditor = RecordAuditor()
        var renewedAt: WallTime?
        package var phone: Phone?
        /// The token with which it joined.
        var token: String?
        /// An identity that the machine keeps when it loses its data.
        var identity: String?
        /// The moment at which it last returned without its data. It does not send its earlier usage again.
        var returnedAt: WallTime?
        /// The household's next public key, as far as the machine has confirmed it.
        var nextKey: String?
        /// The number of its row and of the row's last change, if several services share the rows.
        var number: Int64?
        var version: Int64 = 0
        var order = UsageOrder()
        /// Upper bound on the machine's rows in the household. `nil` until its first complete upload.
        var rowsMax: Int64?
        /// Wall time at which `rowsMax` last grew.
        var rowsMaxRaisedAt = WallTime(ms: 0)

        /// True for a guardian's phone.
        var isGuardians: Bool { phone != nil && phone?.lessons == nil }

        /// The members whose rows a new ledger replaces. `nil` means all rows of the machine.
        ///
        /// Many people use a machine of a school, and its ledger contains only the latest of them.
        var shared: [String]? { token.map { _ in accounts.map(\.member) } }

        /// The beginning of the usage that the machine receives of its people. If it returned without data, it is the period that
        /// limits need.
        var pastStart: WallTime {
            max(WallTime(ms: 0), returnedAt.map { $0 - UsageRow.day * 8 } ?? WallTime(ms: 0))
        }

        func localMember(_ here: String) -> String? { accounts.first { $0.here == here }?.member }
    }

    /// The properties of a machine that is a phone.
    package struct Phone: Codable, Sendable, Equatable {
        /// The guardian, by the name on the machine where the phone was added.
        package var by: String
        /// True if a guardian has entered a passcode for it.
        package var isProved: Bool
        /// The digest of the token that the phone sends with each request, as hexadecimal digits.
        package var token: String
        /// The lessons of a teacher's phone. Such a phone begins and ends lessons, and does nothing else.
        package var lessons: HouseholdLessons?
        /// The end of its present lesson.
        package var lessonMs: Int64?
    }

    package struct Invitation: Sendable, Equatable {
        package var id: String
        /// The public key of the machine that has the code.
        package var key: [UInt8]
        package var until: WallTime
        /// The key of the machine that has used it. No other machine may use it.
        package var usedBy: [UInt8]?
        /// For a token, the number of machines that can join without a person's approval.
        package var machines: Int64?
    }

    /// A machine that waits for a person's approval.
    package struct PendingMachine: Sendable, Equatable {
        package var invitation: String
        package var name: String
        package var key: [UInt8]
        package var accounts: [HouseholdAccount]
        package var guardians: [String] = []
        package var isProtected = false
        package var number: String
    }

    /// A sealed message on its way from one machine to another.
    package struct RelayMessage: Sendable, Equatable {
        package var id: String
        package var from: String
        package var to: String
        package var answers: String?
        package var sealed: String
        package var until: WallTime

        /// Returns true if the letter was not taken in time, also if the clock was set back since it came.
        func isExpired(at now: WallTime) -> Bool {
            until <= now || until > now + .milliseconds(2 * HouseholdPost.lastsMsMax)
        }
    }

    /// The present usage that a machine reported, and the moment of the report.
    struct OpenUsage: Sendable, Equatable {
        var stretches: [OpenUsageInterval]
        var received: BootTime
    }

    /// The address and the keys of this machine for other machines.
    package struct ServiceIdentity: Sendable, Equatable {
        package var address: String
        package var secret: [UInt8]
        /// The key that the household adopts once all machines have received it.
        package var next: [UInt8]?
        /// Identifies the numbering of rows. A restored older copy of the database gets another one.
        package var places: String
        package var phones: PhoneEndpoint?

        /// The endpoint of the port for other machines. A loopback address is bound directly. Any other
        /// address may be a name or the address of a router, so the port is open on all interfaces.
        package var endpoint: String {
            "tcp://" + (address.hasPrefix("127.") ? address : "*:\(address.split(separator: ":").last ?? "")")
        }
    }

    /// The address of this machine for phones.
    package struct PhoneEndpoint: WireBody, Codable, Equatable {
        /// A certificate that expires within this time is replaced.
        private static let renewal = UsageRow.day * 30

        package var address: String
        package var key: String
        package var certificate: String

        package init(address: String, key: String, certificate: String) {
            self.address = address
            self.key = key
            self.certificate = certificate
        }

        package static func port(of address: String) -> UInt16 {
            UInt16(address.split(separator: ":").last ?? "") ?? HouseholdPhone.portDefault
        }

        /// The host of an address, for its certificate.
        package static func host(of address: String) -> String {
            let host = address[..<(address.lastIndex(of: ":") ?? address.endIndex)]
            return String(host.drop { $0 == "[" }.prefix { $0 != "]" })
        }

        package var port: UInt16 { Self.port(of: address) }

        /// True if only this computer can reach the address.
        package var isLocal: Bool { address.hasPrefix("127.") }

        package static func isValid(until: WallTime, now: WallTime) -> Bool { until > now + renewal }

        package func moved(to address: String) -> Self {
            Self(address: address, key: key, certificate: certificate)
        }
    }

    struct ReadPosition: Sendable, Equatable {
        /// All transactions before this one have been read.
        var horizon: Int64
        /// The store's epoch, which changes whenever memory and database may differ.
        var epoch: Int
    }

    package static let devicesMax = 20_000
    static let lettersMax = 64

    /// The people of this machine.
    package var household = Household()
    package var identity: ServiceIdentity?
    /// The keys of messages that the hook has received, and the moments until which they are stored.
    var hookDeliveries: [String: WallTime] = [:]
    /// The addresses of all services of the household.
    var addresses: [String] = []
    /// The machines in the order in which they joined.
    package private(set) var devices: [Device] = []
    private var places: [String: Int] = [:]
    /// Changes when the set of machines that may connect changes.
    package private(set) var rosterVersion = 0
    /// The members and machines with something new, the oldest first.
    private var changed: [String] = []
    /// Number of entries ever added to `touched`, including dropped ones.
    private var changeCount = 0
    private static let touchedMax = 2_000
    package var invitations: [Invitation] = []
    package var pendingMachines: [PendingMachine] = []
    package private(set) var messages: [RelayMessage] = []
    /// The ends of present lessons, by the phones of their teachers.
    package private(set) var lessonEnds: [String: WallTime] = [:]
    /// Usage before this day is deleted. `nil` if no usage was deleted since the start.
    package var firstDay: Int64?
    /// The rules by member and id, including removed ones.
    package private(set) var rules: [String: [String: HouseholdRule]] = [:]
    /// The present usage by member and machine.
    private var open: [String: [String: OpenUsage]] = [:]
    /// The place of the last row of each member, and the place that applies to all other members.
    private var lastPlaces: [String: Int64] = [:]
    var firstPlace: Int64 = 0
    /// The part of a shared store that was read. `nil` if nothing was read.
    var readPosition: ReadPosition?
    /// The changes to write at the end of the transaction.
    var unsaved: [HouseholdChange] = []
    /// True if an older copy of the database was restored just before the start.
    var isRestored = false
    /// The number of the last change of present usage, by member and machine. Numbers grow.
    private var news: [String: [String: Int64]] = [:]
    var lastNews: Int64 = 0

    /// The first child of this machine, if there is one.
    var child: String? { household.members.first { $0.role == .child }?.name }

    func device(_ id: String) -> Device? { places[id].map { devices[$0] } }

    /// Inserts or replaces a machine.
    mutating func upsert(_ device: Device) {
        lessonEnds[device.id] = device.phone?.lessonMs.map(WallTime.init)
        guard let place = places[device.id] else {
            places[device.id] = devices.count
            devices.append(device)
            rosterVersion += 1
            return
        }
        if devices[place].isRemoved != device.isRemoved || devices[place].key != device.key {
            rosterVersion += 1
        }
        if devices[place].deletionCount != device.deletionCount || devices[place].requests != device.requests
        {
            for account in device.accounts { markChanged(account.member) }
        }
        devices[place] = device
    }

    /// Inserts or replaces a machine, and marks it as unsaved.
    mutating func save(_ device: Device) {
        upsert(device)
        unsaved.append(.device(device.id))
    }

    mutating func clear() {
        (devices, places, lastPlaces, rules, lessonEnds) = ([], [:], [:], [:], [:])
        rosterVersion += 1
    }

    private mutating func markChanged(_ member: String) {
        changed.append(member)
        changeCount += 1
        if changed.count > 2 * Self.touchedMax { changed.removeFirst(changed.count - Self.touchedMax) }
    }

    /// Returns the members and machines with something new since a count of `touches`, and the present count.
    ///
    /// `members` is `nil` if they are no longer known, or if everyone is concerned.
    func changed(since known: Int) -> (members: Set<String>?, all: Int) {
        let count = changeCount - known
        let members = count <= changed.count ? Set(changed.suffix(max(0, count))) : nil
        return (members?.contains(HouseholdRule.everyone) == true ? nil : members, changeCount)
    }

    /// Replaces the present usage on a machine.
    mutating func upsert(_ stretches: [OpenUsageInterval], of device: Device, received: BootTime) {
        let now = Dictionary(grouping: stretches, by: \.segment.member)
        for member in device.accounts.map(\.member) {
            let before = open[member]?[device.id]?.stretches.map(\.segment) ?? []
            if before != (now[member] ?? []).map(\.segment) {
                lastNews += 1
                news[member, default: [:]][device.id] = lastNews
                markChanged(member)
            }
            open[member, default: [:]][device.id] = now[member].map {
                OpenUsage(stretches: $0, received: received)
            }
        }
    }

    mutating func upsert(_ invitation: Invitation) {
        if !invitations.contains(where: { $0.key == invitation.key }) { rosterVersion += 1 }
        invitations.removeAll { $0.id == invitation.id }
        invitations.append(invitation)
        unsaved.append(.invitation(invitation))
    }

    mutating func remove(_ invitation: Invitation) {
        rosterVersion += 1
        invitations.removeAll { $0.id == invitation.id }
        unsaved.append(.invitationRemoved(invitation.id))
    }

    mutating func upsert(_ guest: PendingMachine) {
        pendingMachines.append(guest)
        unsaved.append(.pendingMachine(guest))
    }

    mutating func removePendingMachine(of invitation: String) {
        guard pendingMachines.contains(where: { $0.invitation == invitation }) else { return }
        pendingMachines.removeAll { $0.invitation == invitation }
        unsaved.append(.pendingMachineRemoved(invitation: invitation))
    }

    mutating func upsert(_ letter: RelayMessage) {
        insertSavedMessage(letter)
        unsaved.append(.message(letter))
    }

    /// Adds a letter that is already saved.
    mutating func insertSavedMessage(_ letter: RelayMessage) {
        messages.append(letter)
        markChanged(letter.to)
    }

    /// Removes letters. If `isSaid` is true, the store has already deleted them.
    mutating func removeMessages(isSaid: Bool = false, where isDone: (RelayMessage) -> Bool) {
        for letter in messages where isDone(letter) && !isSaid { unsaved.append(.messageRemoved(letter.id)) }
        messages.removeAll(where: isDone)
    }

    /// Returns the letters to a machine that it does not hold yet, up to the size of a reply.
    func messages(to device: String, besides holding: [String]) -> [HouseholdMessage] {
        var bytes = 0
        return messages.filter { $0.to == device && !holding.contains($0.id) }.prefix { letter in
            bytes += letter.sealed.utf8.count
            return bytes <= BusLimits.pageBytes || bytes == letter.sealed.utf8.count
        }
        .map { letter in
            let sender = self.device(letter.from)
            return HouseholdMessage(
                letter: letter.id,
                to: letter.to,
                answers: letter.answers,
                sealed: letter.sealed,
                from: letter.from,
                name: sender?.name,
                key: sender.map { TextFormat.hex($0.key) }
            )
        }
    }

    /// Inserts a changed rule, and marks it as unsaved.
    mutating func upsert(_ rule: HouseholdRule) {
        insertSaved(rule)
        unsaved.append(.rule(rule))
    }

    /// Inserts a rule that is already saved.
    mutating func insertSaved(_ rule: HouseholdRule) {
        rules[rule.member, default: [:]][rule.id] = rule
        markChanged(rule.member)
    }

    /// Returns the number of changes of the rules of a machine's people.
    func ruleNews(for device: Device) -> Int64 {
        (device.accounts.map(\.member) + [HouseholdRule.everyone]).reduce(0) { sum, member in
            (rules[member] ?? [:]).values.reduce(sum) { $0 + $1.version }
        }
    }

    /// Returns the number of deletions of each other machine of the same people.
    func deletions(for device: Device) -> [String: Int64] {
        let people = Set(device.accounts.map(\.member))
        let others = devices.filter { other in
            other.deletionCount > 0 && other.id != device.id
                && other.accounts.contains { people.contains($0.member) }
        }
        return Dictionary(uniqueKeysWithValues: others.map { ($0.id, $0.deletionCount) })
    }

    /// Returns a number that changes with the requests on other machines of the same people.
    func requestNews(for device: Device) -> Int64 {
        others(of: device).reduce(0) { $0 + $1.requests.changes }
    }

    /// Returns the other machines of the same people.
    func others(of device: Device) -> [Device] {
        let people = Set(device.accounts.map(\.member))
        return activeDevices.filter { other in
            other.id != device.id && other.accounts.contains { people.contains($0.member) }
        }
    }

    /// Returns true if changes by a machine may loosen a member's restrictions.
    ///
    /// If the member is a child anywhere, the machine must be a guardian's phone, or a trusted machine that joined with a guardian
    /// and has the child.
    func mayLoosen(_ member: String, on device: Device) -> Bool {
        device.isGuardians || !devices.contains { $0.children.contains(member) }
            || device.isTrusted && !device.guardians.isEmpty && device.children.contains(member)
    }

    /// Returns true if changes by a machine may loosen the restrictions of all children.
    func mayLoosenAll(on device: Device) -> Bool {
        Set(activeDevices.flatMap(\.children)).allSatisfy { mayLoosen($0, on: device) }
    }

    /// Records that a machine restarted its records without `rows` rows that it had sent before.
    mutating func recordDeletion(_ id: String, rows: Int) {
        addRows(-rows, of: id)
        guard var device = device(id) else { return }
        device.deletionCount += 1
        device.auditor.recordMissing(Int64(rows), at: device.seenAt ?? WallTime(ms: 0))
        upsert(device)
    }

    /// Corrects the number of a machine's rows.
    mutating func addRows(_ more: Int, of device: String) {
        if let place = places[device] { devices[place].rows += Int64(more) }
    }

    mutating func recordPlace(_ place: Int64, of member: String) {
        lastPlaces[member] = max(place, lastPlaces[member] ?? place)
        markChanged(member)
    }

    /// Returns the present usage on one machine.
    func open(on device: Device) -> [OpenUsageInterval] {
        device.accounts.map(\.member).sorted().flatMap { open[$0]?[device.id]?.stretches ?? [] }
    }

    /// Returns the number of the last change on other machines that concerns the people of this one.
    package func news(for device: Device) -> Int64 {
        device.accounts.flatMap { (news[$0.member] ?? [:]).filter { $0.key != device.id }.values }.max() ?? 0
    }

    /// Returns true if there is something that a machine has not received yet.
    package func hasNews(_ ask: NewsQuery.Request) -> Bool {
        guard let device = device(ask.device) else { return true }
        if let holding = ask.pull.holding,
            messages.contains(where: { $0.to == ask.device && !holding.contains($0.id) })
        {
            return true
        }
        if let rules = ask.pull.rules, rules != ruleNews(for: device) { return true }
        if let requests = ask.pull.requests, requests != requestNews(for: device) { return true }
        if let known = ask.pull.forgets, known != deletions(for: device).values.reduce(0, &+) { return true }
        return news(for: device) != ask.pull.news
            || device.accounts.contains {
                lastPlaces[$0.member] ?? firstPlace > ask.pull.after[$0.member] ?? 0
            }
    }

    var activeDevices: [Device] { devices.filter { !$0.isRemoved } }

    /// The machines of the household, and those that left it during the last thirty days.
    func listedDevices(at now: WallTime) -> [Device] {
        devices.filter { !$0.isRemoved || ($0.leftAt.map { now - $0 < UsageRow.day * 30 } ?? false) }
    }

    /// Returns true if the port must be open. This is false once all machines have left and no invitation is valid. A machine that
    /// a guardian removed finds this out from the port.
    package func needsMachinePort(at now: WallTime) -> Bool {
        devices.isEmpty || devices.contains { !$0.isRemoved || $0.leftAt == nil }
            || invitations.contains { $0.until > now }
    }

    /// The public key that the household will have, as hexadecimal digits.
    var nextKey: String? {
        get throws { try identity?.next.map { TextFormat.hex(try KeyPair(secret: $0).publicKey) } }
    }

    /// Returns the number of machines that have received the next key. Returns `nil` if there is no next key.
    func rekey() throws -> HouseholdRekey.Reply? {
        guard let key = try nextKey else { return nil }
        // Phones recognise the household by a certificate.
        let machines = activeDevices.filter { $0.phone == nil }
        let known = machines.count { $0.nextKey == key }
        return HouseholdRekey.Reply(machines: Int64(machines.count), known: Int64(known), isTaken: false)
    }

    /// The address, key and certificate of the port for phones. `nil` until a phone belongs to the household.
    package var servedPhones: PhoneEndpoint? {
        activeDevices.contains { $0.phone != nil } ? identity?.phones : nil
    }

    /// The people whose usage the household has, by its names.
    var members: [String] { Set(activeDevices.flatMap { $0.accounts.map(\.member) }).sorted() }

    /// The keys that may connect at this moment.
    package func admittedKeys(at now: WallTime) -> [[UInt8]: Principal.Remote] {
        var keys: [[UInt8]: Principal.Remote] = [:]
        for invitation in invitations where invitation.until > now {
            keys[invitation.key] = .invitation(invitation.id)
        }
        for device in activeDevices where device.phone == nil { keys[device.key] = .device(device.id) }
        return keys
    }

    /// Returns the next end of an invitation, a letter or a lesson.
    package func nextEnd(after moment: WallTime) -> WallTime? {
        (invitations.map(\.until) + messages.map(\.until) + lessonEnds.values).filter { $0 > moment }.min()
    }

    package func hasExpiredMessages(at now: WallTime) -> Bool {
        messages.contains { $0.isExpired(at: now) }
    }

    package func hasEndedLessons(at now: WallTime) -> Bool { lessonEnds.values.contains { $0 <= now } }

    mutating func removeExpiredMessages(at now: WallTime) { removeMessages { $0.isExpired(at: now) } }

    func requireIdentity() throws -> ServiceIdentity {
        guard let identity else {
            throw Problem(
                "household.not_started",
                "No household was started on this machine.",
                help: "screentime household start"
            )
        }
        return identity
    }

    /// The machine that sent a request.
    func machine(_ remote: Principal.Remote?) throws -> Device {
        guard case .device(let id) = remote, let device = device(id), !device.isRemoved, device.phone == nil
        else {
            throw Problem(
                "household.not_a_member",
                "This machine does not belong to the household. Join it again with a new code.",
                help: "screentime household join CODE"
            )
        }
        return device
    }

    /// The machine or phone with this name or id.
    func device(called wanted: String) throws -> Device {
        if let found = activeDevices.first(where: { $0.id == wanted || $0.name == wanted }) { return found }
        throw HouseholdDevice.unknown(wanted, among: activeDevices.map(\.name), field: "/device")
    }

    func invitation(_ remote: Principal.Remote?, at now: WallTime) throws -> Invitation {
        guard case .invitation(let id) = remote,
            let found = invitations.first(where: { $0.id == id && $0.until > now })
        else {
            throw Problem(
                "household.invitation_over",
                """
                This invitation has expired, because an invitation is valid for ten minutes. Ask for a new \
                code.
                """,
                help: "screentime household invite"
            )
        }
        return found
    }

    /// Returns the present usage on other machines of a machine's people, with its age at `now`.
    func open(besides device: Device, at now: BootTime) -> [OpenUsageInterval] {
        let others = device.accounts.map(\.member).sorted().flatMap { member in
            (open[member] ?? [:]).filter { $0.key != device.id }.sorted { $0.key < $1.key }
        }
        let all = others.flatMap { _, held in
            held.stretches.map {
                OpenUsageInterval(segment: $0.segment, agoMs: $0.agoMs + max(.zero, now - held.received).ms)
            }
        }
        return Array(all.prefix(RemoteUsageRoute.openMax))
    }
}

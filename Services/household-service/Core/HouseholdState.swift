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
        /// Who looked after children there when it was let in, as it calls them.
        package var guardians: [String] = []
        /// Whether these guardians may loosen children's rules on all machines. In personal mode, every program of the account can read the
        /// machine's key, so a guardian must trust the machine first.
        package var isTrusted = false
        /// Who of the household is a child there now.
        package var children: [String] = []
        package var joinedMs: Int64
        /// What stays of a machine that was put out: the name of what it used.
        package var isRemoved = false
        /// When the machine itself left the household.
        var leftMs: Int64?
        package var cursor = HouseholdCursor()
        /// Its ledger was begun anew: what it sends replaces what it sent before.
        package var isAnew = false
        package var rows: Int64 = 0
        package var seenMs: Int64?
        package var clockOffMs: Int64 = 0
        /// Stretches that cannot be true, and were left out.
        package var aside: Int64 = 0
        /// How often rows of it were deleted.
        package var forgets: Int64 = 0
        package var requests = DeviceRequests()
        package var witness = Witness()
        var renewedMs: Int64?
        package var phone: Phone?
        /// The token that let it in.
        var token: String?
        /// What stays the same of a machine that forgets all else.
        var identity: String?
        /// When it last came back without what it knew: what it told before is its past, which it does not tell again.
        var backMs: Int64?
        /// The public key that it will look for, as the household said.
        var nextKey: String?
        /// The number of its row and of that row's last change, where several services share them.
        var number: Int64?
        var version: Int64 = 0
        var order = UsageOrder()
        /// The maximum number of the machine's rows in the household. Nil until its first complete upload.
        var rowsMax: Int64?
        /// Wall time at which `rowsMax` last grew.
        var rowsMaxMs: Int64 = 0

        /// It is a guardian's phone.
        var isGuardians: Bool { phone != nil && phone?.lessons == nil }

        /// Whose rows a ledger that was begun anew replaces; nil: all there are of it. Many people come to a machine of a school, and it tells
        /// of the last of them.
        var shared: [String]? { token.map { _ in accounts.map(\.member) } }

        /// From when on it hears of its people's past: where it came back without any, the days that limits look at.
        var pastMs: Int64 { backMs.map { max(0, $0 - 8 * UsedRow.dayMs) } ?? 0 }

        func member(_ here: String) -> String? { accounts.first { $0.here == here }?.member }
    }

    /// What makes a machine a guardian's phone.
    package struct Phone: Codable, Sendable, Equatable {
        /// The guardian, by the name on the machine where the phone was let in.
        package var by: String
        /// A guardian has given a passcode for it.
        package var isProved: Bool
        /// The digest of what the phone says with each request, as hexadecimal digits.
        package var token: String
        /// It is a teacher's: it begins and ends lessons, and does nothing else.
        package var lessons: HouseholdLessons?
        /// Until when its lesson goes on.
        package var lessonMs: Int64?
    }

    package struct Invitation: Sendable, Equatable {
        package var id: String
        /// The public key of the machine that has the code.
        package var key: [UInt8]
        package var untilMs: Int64
        /// The key of the machine that has used it: no other one may.
        package var usedBy: [UInt8]?
        /// Of a token: how many machines it lets in, without a person's word.
        package var machines: Int64?
    }

    /// A machine that waits for a person's word.
    package struct Guest: Sendable, Equatable {
        package var invitation: String
        package var name: String
        package var key: [UInt8]
        package var accounts: [HouseholdAccount]
        package var guardians: [String] = []
        package var isProtected = false
        package var number: String
    }

    /// On its way from one machine to another.
    package struct Letter: Sendable, Equatable {
        package var id: String
        package var from: String
        package var to: String
        package var answers: String?
        package var sealed: String
        package var untilMs: Int64

        /// It was not taken in its time; the clock may have been set back since it came.
        func isOver(wallMs: Int64) -> Bool {
            untilMs <= wallMs || untilMs > wallMs + 2 * HouseholdPost.lastsMsMax
        }
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
        /// The key that it will have once all machines know it.
        package var next: [UInt8]?
        /// Of the numbers that rows have: another one after an older copy was put back.
        package var places: String
        package var phones: PhonePlace?

        /// The endpoint of the port for other machines. A loopback address is bound directly. Any other
        /// address may be a name or the address of a router, so the port is open on all interfaces.
        package var endpoint: String {
            "tcp://" + (address.hasPrefix("127.") ? address : "*:\(address.split(separator: ":").last ?? "")")
        }
    }

    /// Where phones reach this machine.
    package struct PhonePlace: WireBody, Codable, Equatable {
        /// A certificate that expires within this time is replaced.
        private static let renewMs: Int64 = 30 * 86_400_000

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

        package static func lasts(untilMs: Int64, nowMs: Int64) -> Bool { untilMs > nowMs + renewMs }

        package func moved(to address: String) -> Self {
            Self(address: address, key: key, certificate: certificate)
        }
    }

    struct Seen: Sendable, Equatable {
        /// All transactions before this one have been read.
        var horizon: Int64
        /// The store's, which is another one once memory and database may differ.
        var epoch: Int
    }

    package static let devicesMax = 20_000
    static let lettersMax = 64

    /// The people of this machine.
    package var household = Household()
    package var own: Own?
    /// What the hook has been told, by keys, and until when that is remembered.
    var told: [String: Int64] = [:]
    /// Where services of the household can be reached, this one among them.
    var addresses: [String] = []
    /// In the order in which they joined.
    package private(set) var devices: [Device] = []
    private var places: [String: Int] = [:]
    /// Another number once other machines may come in.
    package private(set) var roster = 0
    /// Who has something new, members and machines, the oldest first.
    private var touched: [String] = []
    /// How many have had something new, those included that are not in the list any more.
    private var touches = 0
    private static let touchedMax = 2_000
    package var invitations: [Invitation] = []
    package var guests: [Guest] = []
    package private(set) var letters: [Letter] = []
    /// When the lessons end that go on, by the phones of their teachers.
    package private(set) var lessonEnds: [String: Int64] = [:]
    /// What was used before this day has been deleted; nil: that has not been looked at since the start.
    package var firstDay: Int64?
    /// By member and id; those that were removed, too.
    package private(set) var rules: [String: [String: HouseholdRule]] = [:]
    /// By member and machine.
    private var open: [String: [String: Open]] = [:]
    /// The place of the last row of each member, and the one that all others had at the start.
    private var lastPlaces: [String: Int64] = [:]
    var firstPlace: Int64 = 0
    /// What a shared store has said so far; nil: nothing yet.
    var seen: Seen?
    /// Written at the end of the transaction.
    var unsaved: [HouseholdChange] = []
    /// An older copy of the database was put back just now.
    var isRestored = false
    /// The last change of what is under way for each member on each machine, by a number that grows.
    private var news: [String: [String: Int64]] = [:]
    var lastNews: Int64 = 0

    /// The first child of this machine, if there is one.
    var child: String? { household.members.first { $0.role == .child }?.name }

    func device(_ id: String) -> Device? { places[id].map { devices[$0] } }

    /// Takes a machine that is new, or as it is now.
    mutating func put(_ device: Device) {
        lessonEnds[device.id] = device.phone?.lessonMs
        guard let place = places[device.id] else {
            places[device.id] = devices.count
            devices.append(device)
            roster += 1
            return
        }
        if devices[place].isRemoved != device.isRemoved || devices[place].key != device.key { roster += 1 }
        if devices[place].forgets != device.forgets || devices[place].requests != device.requests {
            for account in device.accounts { touch(account.member) }
        }
        devices[place] = device
    }

    /// Inserts or replaces a machine, and marks it as unsaved.
    mutating func save(_ device: Device) {
        put(device)
        unsaved.append(.device(device.id))
    }

    mutating func forgetAll() {
        (devices, places, lastPlaces, rules, lessonEnds) = ([], [:], [:], [:], [:])
        roster += 1
    }

    private mutating func touch(_ member: String) {
        touched.append(member)
        touches += 1
        if touched.count > 2 * Self.touchedMax { touched.removeFirst(touched.count - Self.touchedMax) }
    }

    /// Who has something new since so many had; nil: it is not known any more. With how many have had by now.
    func touched(since known: Int) -> (members: Set<String>?, all: Int) {
        let count = touches - known
        let members = count <= touched.count ? Set(touched.suffix(max(0, count))) : nil
        return (members?.contains(HouseholdRule.everyone) == true ? nil : members, touches)
    }

    /// Takes what is under way on a machine now.
    mutating func put(_ stretches: [OpenStretch], of device: Device, heardBootMs: Int64) {
        let now = Dictionary(grouping: stretches, by: \.segment.member)
        for member in device.accounts.map(\.member) {
            let before = open[member]?[device.id]?.stretches.map(\.segment) ?? []
            if before != (now[member] ?? []).map(\.segment) {
                lastNews += 1
                news[member, default: [:]][device.id] = lastNews
                touch(member)
            }
            open[member, default: [:]][device.id] = now[member].map {
                Open(stretches: $0, heardBootMs: heardBootMs)
            }
        }
    }

    mutating func put(_ invitation: Invitation) {
        if !invitations.contains(where: { $0.key == invitation.key }) { roster += 1 }
        invitations.removeAll { $0.id == invitation.id }
        invitations.append(invitation)
        unsaved.append(.invitation(invitation))
    }

    mutating func remove(_ invitation: Invitation) {
        roster += 1
        invitations.removeAll { $0.id == invitation.id }
        unsaved.append(.invitationOver(invitation.id))
    }

    mutating func put(_ guest: Guest) {
        guests.append(guest)
        unsaved.append(.guest(guest))
    }

    mutating func removeGuest(of invitation: String) {
        guard guests.contains(where: { $0.invitation == invitation }) else { return }
        guests.removeAll { $0.invitation == invitation }
        unsaved.append(.guestGone(invitation: invitation))
    }

    mutating func put(_ letter: Letter) {
        deliver(letter)
        unsaved.append(.letter(letter))
    }

    /// A letter that is written down already.
    mutating func deliver(_ letter: Letter) {
        letters.append(letter)
        touch(letter.to)
    }

    /// `isSaid`: the store knows it.
    mutating func removeLetters(isSaid: Bool = false, where isDone: (Letter) -> Bool) {
        for letter in letters where isDone(letter) && !isSaid { unsaved.append(.letterGone(letter.id)) }
        letters.removeAll(where: isDone)
    }

    /// Letters to a machine that it does not have yet, and that fit into a reply.
    func letters(to device: String, besides holding: [String]) -> [HouseholdLetter] {
        var bytes = 0
        return letters.filter { $0.to == device && !holding.contains($0.id) }.prefix { letter in
            bytes += letter.sealed.utf8.count
            return bytes <= BusLimits.pageBytes || bytes == letter.sealed.utf8.count
        }
        .map { letter in
            let sender = self.device(letter.from)
            return HouseholdLetter(
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

    /// A change of a rule that is to be written down.
    mutating func put(_ rule: HouseholdRule) {
        learn(rule)
        unsaved.append(.rule(rule))
    }

    /// A rule that is written down already.
    mutating func learn(_ rule: HouseholdRule) {
        rules[rule.member, default: [:]][rule.id] = rule
        touch(rule.member)
    }

    /// How many changes of its people's rules there have been.
    func ruleNews(for device: Device) -> Int64 {
        (device.accounts.map(\.member) + [HouseholdRule.everyone]).reduce(0) { sum, member in
            (rules[member] ?? [:]).values.reduce(sum) { $0 + $1.version }
        }
    }

    /// How often each other machine of its people has deleted rows.
    func forgets(for device: Device) -> [String: Int64] {
        let people = Set(device.accounts.map(\.member))
        let others = devices.filter { other in
            other.forgets > 0 && other.id != device.id
                && other.accounts.contains { people.contains($0.member) }
        }
        return Dictionary(uniqueKeysWithValues: others.map { ($0.id, $0.forgets) })
    }

    /// Another number once something of requests has changed on other machines of its people.
    func requestNews(for device: Device) -> Int64 {
        others(of: device).reduce(0) { $0 + $1.requests.changes }
    }

    /// The machines of its people, without itself.
    func others(of device: Device) -> [Device] {
        let people = Set(device.accounts.map(\.member))
        return present.filter { other in
            other.id != device.id && other.accounts.contains { people.contains($0.member) }
        }
    }

    /// Whether what a machine says may loosen what holds for a person: of a child, if it is one there and had a guardian as it came.
    func mayLoosen(_ member: String, on device: Device) -> Bool {
        device.isGuardians || !devices.contains { $0.children.contains(member) }
            || device.isTrusted && !device.guardians.isEmpty && device.children.contains(member)
    }

    /// The same for all children there are.
    func mayLoosenAll(on device: Device) -> Bool {
        Set(present.flatMap(\.children)).allSatisfy { mayLoosen($0, on: device) }
    }

    /// Records that a machine restarted its records without `rows` rows that it had sent before.
    mutating func noteForgetting(_ id: String, rows: Int) {
        count(-rows, of: id)
        guard var device = device(id) else { return }
        device.forgets += 1
        device.witness.noteMissing(Int64(rows), wallMs: device.seenMs ?? 0)
        put(device)
    }

    /// Corrects how many rows there are of a machine.
    mutating func count(_ more: Int, of device: String) {
        if let place = places[device] { devices[place].rows += Int64(more) }
    }

    mutating func note(_ place: Int64, of member: String) {
        lastPlaces[member] = max(place, lastPlaces[member] ?? place)
        touch(member)
    }

    /// What is under way on one machine.
    func open(on device: Device) -> [OpenStretch] {
        device.accounts.map(\.member).sorted().flatMap { open[$0]?[device.id]?.stretches ?? [] }
    }

    /// The last change on other machines that the people of this one can hear of.
    package func news(for device: Device) -> Int64 {
        device.accounts.flatMap { (news[$0.member] ?? [:]).filter { $0.key != device.id }.values }.max() ?? 0
    }

    /// Whether a machine has something to hear that it has not heard yet.
    package func hasNews(_ ask: NewsAsk.Request) -> Bool {
        guard let device = device(ask.device) else { return true }
        if let holding = ask.pull.holding,
            letters.contains(where: { $0.to == ask.device && !holding.contains($0.id) })
        {
            return true
        }
        if let rules = ask.pull.rules, rules != ruleNews(for: device) { return true }
        if let requests = ask.pull.requests, requests != requestNews(for: device) { return true }
        if let known = ask.pull.forgets, known != forgets(for: device).values.reduce(0, &+) { return true }
        return news(for: device) != ask.pull.news
            || device.accounts.contains {
                lastPlaces[$0.member] ?? firstPlace > ask.pull.after[$0.member] ?? 0
            }
    }

    var present: [Device] { devices.filter { !$0.isRemoved } }

    /// The machines of the household, and those that left it during the last thirty days.
    func listed(nowMs: Int64) -> [Device] {
        devices.filter { !$0.isRemoved || ($0.leftMs.map { nowMs - $0 < 30 * UsedRow.dayMs } ?? false) }
    }

    /// Whether the port must be open. False once all machines have left and no invitation is valid. A machine that a guardian removed
    /// learns that from the port.
    package func needsDoor(nowMs: Int64) -> Bool {
        devices.isEmpty || devices.contains { !$0.isRemoved || $0.leftMs == nil }
            || invitations.contains { $0.untilMs > nowMs }
    }

    /// The public key that the household will have, as hexadecimal digits.
    var nextKey: String? {
        get throws { try own?.next.map { TextFormat.hex(try KeyPair(secret: $0).publicKey) } }
    }

    /// How many machines know the next key; nil: there is none.
    func rekey() throws -> HouseholdRekey.Reply? {
        guard let key = try nextKey else { return nil }
        // Phones know the household by a certificate.
        let machines = present.filter { $0.phone == nil }
        let known = machines.count { $0.nextKey == key }
        return HouseholdRekey.Reply(machines: Int64(machines.count), known: Int64(known), isTaken: false)
    }

    /// The address, key and certificate of the port for phones. Nil until a phone belongs to the household.
    package var servedPhones: PhonePlace? { present.contains { $0.phone != nil } ? own?.phones : nil }

    /// The people whose use the household knows, by its names.
    var members: [String] { Set(present.flatMap { $0.accounts.map(\.member) }).sorted() }

    /// The keys that may connect at this moment.
    package func admitted(wallMs: Int64) -> [[UInt8]: Principal.Remote] {
        var keys: [[UInt8]: Principal.Remote] = [:]
        for invitation in invitations where invitation.untilMs > wallMs {
            keys[invitation.key] = .invitation(invitation.id)
        }
        for device in present where device.phone == nil { keys[device.key] = .device(device.id) }
        return keys
    }

    /// When an invitation or a letter ends next.
    package func dueMs(after wallMs: Int64) -> Int64? {
        (invitations.map(\.untilMs) + letters.map(\.untilMs) + lessonEnds.values).filter { $0 > wallMs }.min()
    }

    package func hasOldLetters(wallMs: Int64) -> Bool { letters.contains { $0.isOver(wallMs: wallMs) } }

    package func hasEndedLessons(wallMs: Int64) -> Bool { lessonEnds.values.contains { $0 <= wallMs } }

    mutating func removeOldLetters(wallMs: Int64) { removeLetters { $0.isOver(wallMs: wallMs) } }

    func started() throws -> Own {
        guard let own else {
            throw Problem(
                "household.not_started",
                "No household was started on this machine.",
                help: "screentime household start"
            )
        }
        return own
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
        if let found = present.first(where: { $0.id == wanted || $0.name == wanted }) { return found }
        throw HouseholdDevice.unknown(wanted, among: present.map(\.name), field: "/device")
    }

    func invitation(_ remote: Principal.Remote?, wallMs: Int64) throws -> Invitation {
        guard case .invitation(let id) = remote,
            let found = invitations.first(where: { $0.id == id && $0.untilMs > wallMs })
        else {
            throw Problem(
                "household.invitation_over",
                "This invitation has expired: it lasts ten minutes. Ask for a new code.",
                help: "screentime household invite"
            )
        }
        return found
    }

    /// What is under way on other machines for the people of one, as old as it is now.
    func open(besides device: Device, nowBootMs: Int64) -> [OpenStretch] {
        let others = device.accounts.map(\.member).sorted().flatMap { member in
            (open[member] ?? [:]).filter { $0.key != device.id }.sorted { $0.key < $1.key }
        }
        let all = others.flatMap { _, held in
            held.stretches.map {
                OpenStretch(segment: $0.segment, agoMs: $0.agoMs + max(0, nowBootMs - held.heardBootMs))
            }
        }
        return Array(all.prefix(UsageElsewhere.openMax))
    }
}

import STContracts
import STCrypto
import STPlatform

/// How a machine joins the household, by an invitation or a token, and how it leaves.
enum Joining {
    static let invitationsMax = 20
    static let tooManyInvitations = Problem(
        "household.too_many_invitations",
        "\(invitationsMax) invitations are open, which is the limit. They last ten minutes; wait a little."
    )

    static func invite(
        _ state: inout HouseholdState,
        _ now: TimeReading,
        machines: Int64? = nil,
        lastsMs: Int64 = HouseholdInvite.lastsMs
    ) throws -> HouseholdInvite.Reply {
        let own = try state.started()
        prune(&state, now)
        guard state.invitations.count < invitationsMax else { throw tooManyInvitations }
        let keys = try KeyPair.make()
        let invitation = HouseholdState.Invitation(
            id: Identifier.make(wallMs: now.wallMs),
            key: keys.publicKey,
            untilMs: now.wallMs + lastsMs,
            machines: machines
        )
        state.put(invitation)
        let code = InvitationCode(
            address: own.address,
            server: try KeyPair(secret: own.secret).publicKey,
            secret: keys.secret
        )
        return HouseholdInvite.Reply(code: code.text, until: RFC3339.text(wallMs: invitation.untilMs))
    }

    static func token(
        _ request: HouseholdToken.Request,
        _ state: inout HouseholdState,
        _ now: TimeReading
    ) throws -> HouseholdToken.Reply {
        if request.ends == true {
            for token in state.invitations where token.machines != nil { state.remove(token) }
            return HouseholdToken.Reply()
        }
        guard (1...HouseholdToken.machinesMax).contains(request.machines),
            (1...HouseholdToken.daysMax).contains(request.days)
        else {
            throw Problem(
                "household.bad_token",
                "A token is for 1 to \(HouseholdToken.machinesMax) machines and 1 to \(HouseholdToken.daysMax) days.",
                field: "/machines"
            )
        }
        let made = try invite(&state, now, machines: request.machines, lastsMs: request.days * 86_400_000)
        return HouseholdToken.Reply(token: made.code, until: made.until)
    }

    /// How many machines a token has let in.
    static func joined(_ token: String, _ state: HouseholdState) -> Int64 {
        Int64(state.devices.count { $0.token == token })
    }

    static func join(
        _ request: HouseholdJoin.Request,
        by asked: HouseholdState.Invitation,
        _ state: inout HouseholdState,
        _ now: TimeReading
    ) throws -> HouseholdJoin.Reply {
        var invitation = asked
        var reply = HouseholdJoin.Reply(members: state.members)
        if request.accounts.isEmpty { return reply }
        let key = try checked(key: request.key)
        _ = try checked(name: request.name)
        let guardians = request.guardians ?? []
        try check(request.accounts, guardians: guardians)
        reply.number = InvitationCode.number(
            server: try KeyPair(secret: try state.started().secret).publicKey,
            // With who is to be who, because that is what a person agrees to.
            device: key
                + (request.accounts.flatMap { [$0.here, $0.member] } + ["", String(guardians.count)]
                + guardians)
                .flatMap { Array("\($0.utf8.count):\($0)".utf8) },
            invitation: invitation.key
        )
        // With other people it takes a person's word again.
        if var device = state.present.first(where: {
            $0.key == key && $0.accounts == request.accounts
                && $0.guardians == (invitation.machines == nil ? guardians : [])
        }) {
            reply.device = device.id
            let before = device
            if invitation.machines != nil {
                (device.token, device.identity) = (invitation.id, request.identity ?? device.identity)
            }
            // It may have forgotten it.
            device.nextKey = nil
            if device != before { state.save(device) }
            return reply
        }
        if let machines = invitation.machines {
            reply.device = try enrol(request, key, by: invitation.id, of: machines, &state, now)
            return reply
        }
        guard invitation.usedBy == nil || invitation.usedBy == key else {
            throw Problem(
                "household.invitation_used",
                "Another machine has used this code. Ask for a new one, and find out which machine that was.",
                help: "screentime household show"
            )
        }
        let number = reply.number
        if state.guests.contains(where: { $0.invitation == invitation.id && $0.number == number }) {
            return reply
        }
        // The same machine may ask otherwise.
        state.removeGuest(of: invitation.id)
        invitation.usedBy = key
        state.put(invitation)
        let guest = HouseholdState.Guest(
            invitation: invitation.id,
            name: request.name,
            key: key,
            accounts: request.accounts,
            guardians: guardians,
            isProtected: request.isProtected == true,
            number: reply.number ?? ""
        )
        state.put(guest)
        return reply
    }

    private static func enrol(
        _ request: HouseholdJoin.Request,
        _ key: [UInt8],
        by token: String,
        of machines: Int64,
        _ state: inout HouseholdState,
        _ now: TimeReading
    ) throws -> String {
        guard !state.devices.contains(where: { $0.key == key && $0.isRemoved && $0.leftMs == nil }) else {
            throw wasRemoved
        }
        let before = try before(request, key, state)
        let isKnown = before != nil || state.devices.contains { $0.key == key && $0.token == token }
        guard isKnown || joined(token, state) < machines else {
            throw Problem(
                "household.token_used_up",
                "This token was for \(machines) machines, which have joined. Make another one.",
                help: "screentime household token"
            )
        }
        if var before {
            // The same machine, with another key and an empty record.
            before.key = key
            before.cursor = HouseholdCursor()
            before.isAnew = false
            before.witness = Witness()
            before.requests = DeviceRequests()
            before.backMs = now.wallMs
            state.put([], of: before, heardBootMs: now.bootMs)
            state.put(before)
            // They were sealed for the key that it had.
            state.removeLetters { [$0.to, $0.from].contains(before.id) }
            state.unsaved.append(.back(before.id))
        }
        // No person has looked at who looks after children there.
        var device = try admit(request.name, key, request.accounts, guardians: [], &state, now)
        device.token = token
        device.identity = request.identity ?? device.identity
        state.put(device)
        return device.id
    }

    /// The machine that this one was before it forgot all it knew.
    private static func before(
        _ request: HouseholdJoin.Request,
        _ key: [UInt8],
        _ state: HouseholdState
    ) throws -> HouseholdState.Device? {
        guard let identity = request.identity else { return nil }
        guard TextFormat.bytes(hex: identity)?.count == HouseholdJoin.identityBytes else {
            throw Problem(
                "household.bad_identity",
                "An identity is \(2 * HouseholdJoin.identityBytes) hexadecimal digits.",
                field: "/identity"
            )
        }
        guard let found = state.devices.first(where: { $0.identity == identity }), found.key != key else {
            return nil
        }
        guard !found.isRemoved || found.leftMs != nil else { throw wasRemoved }
        return found
    }

    private static let wasRemoved = Problem(
        "household.was_removed",
        "A person has put this machine out of the household. Only a person lets it in again.",
        help: "screentime household invite"
    )

    static func check(_ accounts: [HouseholdAccount], guardians: [String] = []) throws {
        for name in accounts.flatMap({ [$0.here, $0.member] }) + guardians { _ = try checked(name: name) }
        let here = Set(accounts.map(\.here))
        guard max(accounts.count, guardians.count) <= HouseholdAccount.max, here.count == accounts.count,
            Set(accounts.map(\.member)).count == here.count
        else {
            throw Problem(
                "household.bad_accounts",
                "Each person stands once among the accounts, and there are at most \(HouseholdAccount.max).",
                field: "/accounts"
            )
        }
    }

    static func checked(key text: String) throws(Problem) -> [UInt8] {
        guard let key = TextFormat.bytes(hex: text), key.count == KeyPair.bytes else {
            throw Problem("household.bad_key", "A key is 64 hexadecimal digits.", field: "/key")
        }
        return key
    }

    static func checked(name: String) throws(Problem) -> String {
        guard !name.isEmpty, name.utf8.count <= HouseholdJoin.nameBytesMax, name.isPlain else {
            throw Problem(
                "household.bad_name",
                "A name has 1 to \(HouseholdJoin.nameBytesMax) bytes and no control characters.",
                field: "/name"
            )
        }
        return name
    }

    static func confirm(_ number: String, _ state: inout HouseholdState, _ now: TimeReading) throws
        -> HouseholdState.Device
    {
        prune(&state, now)
        guard let guest = state.guests.first(where: { $0.number == number }) else {
            throw Problem(
                "household.unknown_number",
                "No machine waits with the number \(TextFormat.fitting(number, bytes: 20)). If that is what the other machine shows, another machine used its code: make a new one.",
                field: "/number",
                help: "screentime household show"
            )
        }
        var device = try admit(guest.name, guest.key, guest.accounts, guardians: guest.guardians, &state, now)
        device.isTrusted = guest.isProtected
        state.put(device)
        state.removeGuest(of: guest.invitation)
        return device
    }

    private static func admit(
        _ name: String,
        _ key: [UInt8],
        _ accounts: [HouseholdAccount],
        guardians: [String],
        _ state: inout HouseholdState,
        _ now: TimeReading
    ) throws -> HouseholdState.Device {
        guard state.present.count < HouseholdState.devicesMax else {
            throw Problem(
                "household.too_many_devices",
                "The household has \(HouseholdState.devicesMax) machines, which is the limit."
            )
        }
        // A machine that comes back is the one that it was: what it told before is not counted again.
        var device =
            state.devices.first { $0.key == key }
            ?? HouseholdState.Device(
                id: Identifier.make(wallMs: now.wallMs),
                name: uniqueName(name, state),
                key: key,
                accounts: accounts,
                joinedMs: now.wallMs
            )
        device.isRemoved = false
        device.leftMs = nil
        device.guardians = guardians
        device.nextKey = nil
        if device.accounts != accounts {
            state.put([], of: device, heardBootMs: now.bootMs)
            device.accounts = accounts
            // The use of a person who is new comes with all that the machine knows.
            device.cursor = HouseholdCursor()
            device.rowsMax = nil
        }
        state.put(device)
        state.unsaved += [.device(device.id), .open(device.id)]
        return device
    }

    /// Two laptops are both called laptop.
    static func uniqueName(_ name: String, _ state: HouseholdState) -> String {
        let taken = Set(state.devices.map(\.name))
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
    }

    /// Forgets invitations that are over, with the machines that came by them.
    private static func prune(_ state: inout HouseholdState, _ now: TimeReading) {
        for invitation in state.invitations where invitation.untilMs <= now.wallMs {
            state.removeGuest(of: invitation.id)
            state.remove(invitation)
        }
    }

    /// Gives the household its next key once all machines know it.
    static func takeNextKey(_ state: inout HouseholdState, now: Bool = false) throws {
        guard let before = state.own, let next = before.next, let rekey = try state.rekey(),
            now || rekey.known == rekey.machines
        else { return }
        var own = before
        (own.secret, own.next) = (next, nil)
        state.own = own
        state.unsaved.append(.keys(own, before: before))
        // They name the old one.
        for invitation in state.invitations {
            state.removeGuest(of: invitation.id)
            state.remove(invitation)
        }
    }

    // MARK: - Leaving

    /// Removes a machine or a phone: a guardian removes it, or the machine leaves.
    static func remove(
        _ device: HouseholdState.Device,
        _ state: inout HouseholdState,
        _ now: TimeReading
    ) throws {
        var device = device
        try Lessons.end(from: device, &state)
        device.isRemoved = true
        device.phone?.lessonMs = nil
        state.put(device)
        state.removeLetters { [$0.to, $0.from].contains(device.id) }
        state.put([], of: device, heardBootMs: now.bootMs)
        state.unsaved += [.device(device.id), .open(device.id)]
    }

    /// Used invitations are kept so that a machine can repeat its request. Once no machine is left, they would keep the port open.
    static func forgetUsedInvitations(_ state: inout HouseholdState) {
        let waiting = Set(state.guests.map(\.invitation))
        for invitation in state.invitations where invitation.machines == nil && invitation.usedBy != nil {
            if !waiting.contains(invitation.id) { state.remove(invitation) }
        }
    }
}

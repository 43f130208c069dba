import STContracts
import STCrypto
import STPlatform

/// Adds machines to the household, by an invitation or a token, and removes them.
enum MachineAdmission {
    static let invitationsMax = 20
    static let tooManyInvitations = Problem(
        "household.too_many_invitations",
        """
        \(invitationsMax, "most") invitations are open, which is the limit. An invitation lasts ten minutes. \
        Try again later.
        """
    )

    static func invite(
        _ state: inout HouseholdState,
        _ now: TimeReading,
        machines: Int64? = nil,
        for length: Duration = .milliseconds(HouseholdInvite.lastsMs)
    ) throws -> HouseholdInvite.Reply {
        let own = try state.requireIdentity()
        prune(&state, now)
        guard state.invitations.count < invitationsMax else { throw tooManyInvitations }
        let keys = try KeyPair.make()
        let invitation = HouseholdState.Invitation(
            id: Identifier.make(wallMs: now.wallMs),
            key: keys.publicKey,
            until: now.wall + length,
            machines: machines
        )
        state.upsert(invitation)
        let code = InvitationCode(
            address: own.address,
            server: try KeyPair(secret: own.secret).publicKey,
            secret: keys.secret
        )
        return HouseholdInvite.Reply(code: code.text, until: RFC3339.text(wallMs: invitation.until.ms))
    }

    static func token(
        _ request: HouseholdToken.Request,
        state: inout HouseholdState,
        now: TimeReading
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
                """
                A token is for 1 to \(HouseholdToken.machinesMax, "most") machines and 1 to \
                \(HouseholdToken.daysMax, "most2") days.
                """,
                field: "/machines"
            )
        }
        let made = try invite(&state, now, machines: request.machines, for: UsageRow.day * request.days)
        return HouseholdToken.Reply(token: made.code, until: made.until)
    }

    /// The number of machines that have joined with a token.
    static func joined(_ token: String, _ state: HouseholdState) -> Int64 {
        Int64(state.devices.count { $0.token == token })
    }

    static func join(
        _ request: HouseholdJoin.Request,
        by asked: HouseholdState.Invitation,
        state: inout HouseholdState,
        now: TimeReading
    ) throws -> HouseholdJoin.Reply {
        var invitation = asked
        var reply = HouseholdJoin.Reply(members: state.members)
        if request.accounts.isEmpty { return reply }
        let key = try checked(key: request.key)
        _ = try checked(name: request.name)
        let guardians = request.guardians ?? []
        try check(request.accounts, guardians: guardians)
        reply.number = InvitationCode.number(
            server: try KeyPair(secret: try state.requireIdentity().secret).publicKey,
            // The number covers the accounts and guardians, because the person who compares numbers approves
            // them.
            device: key
                + (request.accounts.flatMap { [$0.here, $0.member] } + ["", String(guardians.count)]
                + guardians)
                .flatMap { Array("\($0.utf8.count):\($0)".utf8) },
            invitation: invitation.key
        )
        // A request with other people requires a person's confirmation again.
        if var device = state.activeDevices.first(where: {
            $0.key == key && $0.accounts == request.accounts
                && $0.guardians == (invitation.machines == nil ? guardians : [])
        }) {
            reply.device = device.id
            let before = device
            if invitation.machines != nil {
                (device.token, device.identity) = (invitation.id, request.identity ?? device.identity)
            }
            // The machine may have lost the household's next key.
            device.nextKey = nil
            if device != before { state.save(device) }
            return reply
        }
        if let machines = invitation.machines {
            let id = invitation.id
            reply.device = try enrol(request, key: key, by: id, of: machines, state: &state, now: now)
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
        if state.pendingMachines.contains(where: { $0.invitation == invitation.id && $0.number == number }) {
            return reply
        }
        // The same machine may have sent a different request before.
        state.removePendingMachine(of: invitation.id)
        invitation.usedBy = key
        state.upsert(invitation)
        let guest = HouseholdState.PendingMachine(
            invitation: invitation.id,
            name: request.name,
            key: key,
            accounts: request.accounts,
            guardians: guardians,
            isProtected: request.isProtected == true,
            number: reply.number ?? ""
        )
        state.upsert(guest)
        return reply
    }

    private static func enrol(
        _ request: HouseholdJoin.Request,
        key: [UInt8],
        by token: String,
        of machines: Int64,
        state: inout HouseholdState,
        now: TimeReading
    ) throws -> String {
        guard !state.devices.contains(where: { $0.key == key && $0.isRemoved && $0.leftAt == nil }) else {
            throw wasRemoved
        }
        let before = try knownDevice(request, key: key, state: state)
        let isKnown = before != nil || state.devices.contains { $0.key == key && $0.token == token }
        guard isKnown || joined(token, state) < machines else {
            throw Problem(
                "household.token_used_up",
                """
                This token was for \(machines, "machines") machines, and all of them have joined. Make \
                another token.
                """,
                help: "screentime household token"
            )
        }
        if var before {
            // The same machine, with another key and an empty record.
            before.key = key
            before.cursor = HouseholdCursor()
            before.isRenewed = false
            before.auditor = RecordAuditor()
            before.requests = DeviceRequests()
            before.returnedAt = now.wall
            state.upsert([], of: before, received: now.boot)
            state.upsert(before)
            // These letters were sealed for the machine's previous key.
            state.removeMessages { [$0.to, $0.from].contains(before.id) }
            state.unsaved.append(.returned(before.id))
        }
        // No person has confirmed the guardians of a machine that joins with a token.
        var device = try admit(
            request.name,
            key: key,
            accounts: request.accounts,
            guardians: [],
            state: &state,
            now: now
        )
        device.token = token
        device.identity = request.identity ?? device.identity
        state.upsert(device)
        return device.id
    }

    /// The earlier entry of a machine that has lost its data. The identity shows that it is the same machine.
    private static func knownDevice(
        _ request: HouseholdJoin.Request,
        key: [UInt8],
        state: HouseholdState
    ) throws -> HouseholdState.Device? {
        guard let identity = request.identity else { return nil }
        guard TextFormat.bytes(hex: identity)?.count == HouseholdJoin.identityBytes else {
            throw Problem(
                "household.bad_identity",
                "An identity is \(2 * HouseholdJoin.identityBytes, "bytes") hexadecimal digits.",
                field: "/identity"
            )
        }
        guard let found = state.devices.first(where: { $0.identity == identity }), found.key != key else {
            return nil
        }
        guard !found.isRemoved || found.leftAt != nil else { throw wasRemoved }
        return found
    }

    private static let wasRemoved = Problem(
        "household.was_removed",
        "A person removed this machine from the household. Only a person can approve it again.",
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
                """
                Each person can appear only once among the accounts, and there can be at most \
                \(HouseholdAccount.max, "most") accounts.
                """,
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
                "A name has 1 to \(HouseholdJoin.nameBytesMax, "bytes") bytes and no control characters.",
                field: "/name"
            )
        }
        return name
    }

    static func confirm(_ number: String, state: inout HouseholdState, now: TimeReading) throws
        -> HouseholdState.Device
    {
        prune(&state, now)
        guard let guest = state.pendingMachines.first(where: { $0.number == number }) else {
            throw Problem(
                "household.unknown_number",
                """
                No machine is waiting with the number \(TextFormat.truncated(number, bytes: 20), "number"). If \
                the other machine shows this number, a third machine has used its code. Make a new code.
                """,
                field: "/number",
                help: "screentime household show"
            )
        }
        var device = try admit(
            guest.name,
            key: guest.key,
            accounts: guest.accounts,
            guardians: guest.guardians,
            state: &state,
            now: now
        )
        device.isTrusted = guest.isProtected
        state.upsert(device)
        state.removePendingMachine(of: guest.invitation)
        return device
    }

    private static func admit(
        _ name: String,
        key: [UInt8],
        accounts: [HouseholdAccount],
        guardians: [String],
        state: inout HouseholdState,
        now: TimeReading
    ) throws -> HouseholdState.Device {
        guard state.activeDevices.count < HouseholdState.devicesMax else {
            throw Problem(
                "household.too_many_devices",
                """
                The household has \(HouseholdState.devicesMax, "most") machines, which is the limit. Remove a \
                machine first.
                """
            )
        }
        // A machine that joins again keeps its entry, so the usage that it sent before is not counted twice.
        var device =
            state.devices.first { $0.key == key }
            ?? HouseholdState.Device(
                id: Identifier.make(wallMs: now.wallMs),
                name: uniqueName(name, state),
                key: key,
                accounts: accounts,
                joinedAt: now.wall
            )
        device.isRemoved = false
        device.leftAt = nil
        device.guardians = guardians
        device.nextKey = nil
        if device.accounts != accounts {
            state.upsert([], of: device, received: now.boot)
            device.accounts = accounts
            // The machine sends its whole ledger again, which includes the usage of new people.
            device.cursor = HouseholdCursor()
            device.rowsMax = nil
        }
        state.upsert(device)
        state.unsaved += [.device(device.id), .openUsage(device.id)]
        return device
    }

    /// Appends a number if another machine has the same name.
    static func uniqueName(_ name: String, _ state: HouseholdState) -> String {
        let taken = Set(state.devices.map(\.name))
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
    }

    /// Removes expired invitations, and the machines that wait for confirmation with them.
    private static func prune(_ state: inout HouseholdState, _ now: TimeReading) {
        for invitation in state.invitations where invitation.until <= now.wall {
            state.removePendingMachine(of: invitation.id)
            state.remove(invitation)
        }
    }

    /// Adopts the household's next key once all machines have received it.
    static func adoptNextKey(_ state: inout HouseholdState, now: Bool = false) throws {
        guard let before = state.identity, let next = before.next, let rekey = try state.rekey(),
            now || rekey.known == rekey.machines
        else { return }
        var own = before
        (own.secret, own.next) = (next, nil)
        state.identity = own
        state.unsaved.append(.keys(own, before: before))
        // Invitations contain the old key.
        for invitation in state.invitations {
            state.removePendingMachine(of: invitation.id)
            state.remove(invitation)
        }
    }

    // MARK: - Leaving

    /// Removes a machine or a phone from the household, at a guardian's request or because the machine
    /// leaves.
    static func remove(
        _ device: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        var device = device
        try Lessons.end(from: device, &state)
        device.isRemoved = true
        device.phone?.lessonMs = nil
        state.upsert(device)
        state.removeMessages { [$0.to, $0.from].contains(device.id) }
        state.upsert([], of: device, received: now.boot)
        state.unsaved += [.device(device.id), .openUsage(device.id)]
    }

    /// Removes used invitations once no machine is left, because they would keep the port open. Until then, a
    /// machine can repeat its request with them.
    static func removeUsedInvitations(_ state: inout HouseholdState) {
        let waiting = Set(state.pendingMachines.map(\.invitation))
        for invitation in state.invitations where invitation.machines == nil && invitation.usedBy != nil {
            if !waiting.contains(invitation.id) { state.remove(invitation) }
        }
    }
}

import STBus
import STContracts
import STCrypto
package import STEngine
import STFollowing
import STPlatform

/// The meeting place of the machines of one household.
package enum HouseholdService {
    package static func definition(_ stores: HouseholdStores = .init("")) -> ServiceDefinition<HouseholdState>
    {
        ServiceDefinition(
            name: .household,
            migrations: FileStore.migrations,
            upgrade: stores.move,
            load: stores.load,
            begin: { state, change in
                // Machines may know later numbers of rows than this copy of the database has given.
                if state.isRestored, var own = state.own {
                    own.places = Identifier.make(wallMs: change.now.wallMs)
                    try FileStore.save(own, change.database)
                    state.own = own
                }
                state.lastNews = change.now.wallMs
            },
            save: { state, database in try stores.of(database).save(&state) },
            routes: Joining.routes(stores) + Sharing.routes(stores) + Letters.routes(stores) + [
                Sharing.gone(stores), HouseRules.route(stores), HouseRequests.route(stores),
                Phones.route(stores), Joining.token(stores), Joining.renew(stores), Joining.accounts(stores),
                Removal.leave(stores),
                Joining.rekey(stores), Trust.route(stores),
                Sums.route(stores),
            ],
            subscriptions: [.members(\.household)],
            figures: { state in
                [
                    "devices": Int64(state.present.count),
                    "rows": state.devices.reduce(0) { $0 + $1.rows },
                    "guests": Int64(state.guests.count),
                ]
            }
        )
    }
}

/// How a machine comes into the household, and goes.
enum Joining {
    static func routes(_ stores: HouseholdStores) -> [ServiceRoute<HouseholdState>] {
        [
            ServiceRoute<HouseholdState>.query(HouseholdShow.self) { state, _, context, _ in
                try stores.requireSeen(state)
                let seen = try context.prepared.of(PresentAsk.self)?.devices ?? []
                var reply = show(state, seen, nowMs: context.now.wallMs)
                reply.keepDays = stores.keepDays == 0 ? nil : stores.keepDays
                reply.rekey = try state.rekey()
                return reply
            }
            .after(.of(PresentAsk.self, .companion, for: HouseholdShow.self) { _, _, _ in Empty() }),
            ServiceRoute<HouseholdState>.write(HouseholdStart.self) { state, request, context, change in
                _ = try context.prepared.guardian()
                let address = try InvitationCode.checked(address: request.address)
                var own = HouseholdState.Own(
                    address: address,
                    secret: try stores.of(change.database).agree(
                        on: state.own?.secret ?? KeyPair.make().secret
                    ),
                    places: state.own?.places ?? Identifier.make(wallMs: change.now.wallMs)
                )
                (own.phones, own.next) = (state.own?.phones, state.own?.next)
                try FileStore.save(own, change.database)
                state.unsaved.append(.door(address, before: state.own?.address))
                state.own = own
                return HouseholdStart.Reply(address: address)
            }
            .after(
                .guardian(for: HouseholdStart.self, "move the household", { $0.proof }) { state, asked, _ in
                    // A move cuts off the machines until they hear of it.
                    guard let own = state.own, own.address != asked.address, !state.present.isEmpty else {
                        return nil
                    }
                    return state.household.members.first { $0.role == .child }?.name
                }
            ),
            .write(HouseholdInvite.self) { state, _, _, change in
                try stores.ready(&state, change)
                return try invite(&state, change.now)
            },
            .write(HouseholdJoin.self) { state, request, context, change in
                try stores.ready(&state, change)
                return try join(request, &state, context.principal.remote, change.now)
            },
            ServiceRoute<HouseholdState>.write(HouseholdConfirm.self) { state, request, context, change in
                _ = try context.prepared.guardian()
                try stores.ready(&state, change)
                return HouseholdConfirm.Reply(
                    device: state.view(try confirm(request.number, &state, change.now))
                )
            }
            // What is loosened on a machine that a guardian looks after is loosened everywhere.
            .after(
                .guardian(for: HouseholdConfirm.self, "let a machine in", { $0.proof }) { state, _, _ in
                    state.household.members.first { $0.role == .child }?.name
                }
            ),
            ServiceRoute<HouseholdState>.write(HouseholdRemove.self) { state, request, context, change in
                _ = try context.prepared.guardian()
                try stores.ready(&state, change)
                return try Removal.remove(request.device, &state, change.now)
            }
            .after(
                .guardian(for: HouseholdRemove.self, "put a machine out", { $0.proof }) { state, _, _ in
                    state.household.members.first { $0.role == .child }?.name
                }
            ),
        ]
    }

    static func token(_ stores: HouseholdStores) -> ServiceRoute<HouseholdState> {
        ServiceRoute<HouseholdState>.write(HouseholdToken.self) { state, request, context, change in
            _ = try context.prepared.guardian()
            try stores.ready(&state, change)
            return try token(request, &state, change.now)
        }
        // It lets machines in without a person's word.
        .after(
            .guardian(for: HouseholdToken.self, "let machines in", { $0.proof }) { state, asked, _ in
                guard asked.ends != true else { return nil }
                return state.household.members.first { $0.role == .child }?.name
            }
        )
    }

    static func renew(_ stores: HouseholdStores) -> ServiceRoute<HouseholdState> {
        .write(HouseholdRenew.self) { state, request, context, change in
            try stores.ready(&state, change)
            var device = state.devices[try state.device(context.principal.remote)]
            let key = try checked(key: request.key)
            let taken = state.devices.map(\.key) + state.invitations.map(\.key) + state.guests.map(\.key)
            guard key == device.key || !taken.contains(key) else {
                throw Problem("household.bad_key", "Another machine has this key.", field: "/key")
            }
            if device.key != key { device.renewedMs = change.now.wallMs }
            device.key = key
            state.put(device)
            state.unsaved.append(.device(device.id))
            return Empty()
        }
    }

    static func accounts(_ stores: HouseholdStores) -> ServiceRoute<HouseholdState> {
        .write(HouseholdAccounts.self) { state, request, context, change in
            try stores.ready(&state, change)
            var device = state.devices[try state.device(context.principal.remote)]
            guard device.token != nil else {
                throw Problem(
                    "household.accounts_agreed",
                    "Who of this machine is who in the household was agreed as it joined. Join again to change that.",
                    help: "screentime household join CODE"
                )
            }
            try check(request.accounts)
            var gone = device
            gone.accounts.removeAll { request.accounts.contains($0) }
            state.put([], of: gone, heardBootMs: change.now.bootMs)
            // It goes on where it stands: of those who have just come it has told nothing yet.
            device.accounts = request.accounts
            state.put(device)
            state.unsaved += [.device(device.id), .open(device.id)]
            return Empty()
        }
    }

    static func rekey(_ stores: HouseholdStores) -> ServiceRoute<HouseholdState> {
        ServiceRoute<HouseholdState>.write(HouseholdRekey.self) { state, request, context, change in
            _ = try context.prepared.guardian()
            try stores.ready(&state, change)
            // Another service may have made it.
            try stores.refresh(&state, change)
            let before = try started(state)
            if before.next == nil {
                var own = before
                own.next = try KeyPair.make().secret
                state.own = own
                state.unsaved.append(.keys(own, before: before))
            }
            let asked = try state.rekey()
            // A key of which no machine could have heard yet is not taken at once.
            try takeNextKey(&state, now: request.now == true && before.next != nil)
            return HouseholdRekey.Reply(
                machines: asked?.machines ?? 0,
                known: asked?.known ?? 0,
                isTaken: state.own?.next == nil
            )
        }
        // Machines that do not hear of it are cut off.
        .after(
            .guardian(for: HouseholdRekey.self, "change the household's key", { $0.proof }) { state, _, _ in
                state.household.members.first { $0.role == .child }?.name
            }
        )
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

    private static func show(_ state: HouseholdState, _ seen: [DevicePresence], nowMs: Int64)
        -> HouseholdShow.Reply
    {
        let tokens = state.invitations.filter { $0.untilMs > nowMs }.compactMap { token in
            token.machines.map {
                HouseholdToken.Open(
                    machines: $0,
                    joined: joined(token.id, state),
                    until: RFC3339.text(wallMs: token.untilMs)
                )
            }
        }
        return HouseholdShow.Reply(
            address: state.own?.address,
            devices: state.listed(nowMs: nowMs).map { state.view($0, seen) },
            guests: state.guests.filter { guest in
                state.invitations.contains { $0.id == guest.invitation && $0.untilMs > nowMs }
            }
            .map {
                HouseholdGuest(
                    name: $0.name,
                    accounts: $0.accounts,
                    guardians: $0.guardians.isEmpty ? nil : $0.guardians,
                    number: $0.number,
                    isProtected: $0.isProtected ? true : nil
                )
            },
            members: state.members,
            invitations: Int64(state.invitations.count { $0.untilMs > nowMs && $0.machines == nil }),
            tokens: tokens.isEmpty ? nil : tokens
        )
    }

    static func started(_ state: HouseholdState) throws -> HouseholdState.Own {
        guard let own = state.own else {
            throw Problem(
                "household.not_started",
                "No household was started on this machine.",
                help: "screentime household start"
            )
        }
        return own
    }

    private static func invite(
        _ state: inout HouseholdState,
        _ now: TimeReading,
        machines: Int64? = nil,
        lastsMs: Int64 = HouseholdInvite.lastsMs
    ) throws -> HouseholdInvite.Reply {
        let own = try started(state)
        prune(&state, now)
        guard state.invitations.count < HouseholdState.invitationsMax else {
            throw Problem(
                "household.too_many_invitations",
                "\(HouseholdState.invitationsMax) invitations are open, which is the limit. They last ten minutes; wait a little."
            )
        }
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

    private static func token(
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
        let made = try invite(
            &state,
            now,
            machines: request.machines,
            lastsMs: request.days * 86_400_000
        )
        return HouseholdToken.Reply(token: made.code, until: made.until)
    }

    /// How many machines a token has let in.
    private static func joined(_ token: String, _ state: HouseholdState) -> Int64 {
        Int64(state.devices.count { $0.token == token })
    }

    private static func join(
        _ request: HouseholdJoin.Request,
        _ state: inout HouseholdState,
        _ remote: Principal.Remote?,
        _ now: TimeReading
    ) throws -> HouseholdJoin.Reply {
        var invitation = try state.invitation(remote, wallMs: now.wallMs)
        var reply = HouseholdJoin.Reply(members: state.members)
        if request.accounts.isEmpty { return reply }
        let key = try check(request)
        let guardians = request.guardians ?? []
        reply.number = InvitationCode.number(
            server: try KeyPair(secret: try started(state).secret).publicKey,
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
            if device != before {
                state.put(device)
                state.unsaved.append(.device(device.id))
            }
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

    private static func check(_ request: HouseholdJoin.Request) throws -> [UInt8] {
        let key = try checked(key: request.key)
        _ = try checked(name: request.name)
        try check(request.accounts, guardians: request.guardians ?? [])
        return key
    }

    private static func check(_ accounts: [HouseholdAccount], guardians: [String] = []) throws {
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

    private static func checked(key text: String) throws(Problem) -> [UInt8] {
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

    private static func confirm(_ number: String, _ state: inout HouseholdState, _ now: TimeReading) throws
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
}

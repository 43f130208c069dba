import STBus
import STContracts
import STCrypto
package import STEngine
import STFollowing
import STPlatform

/// The meeting place of the machines of one household.
package enum HouseholdService {
    package static func definition() -> ServiceDefinition<HouseholdState> {
        ServiceDefinition(
            name: .household,
            migrations: HouseholdTables.migrations,
            load: HouseholdTables.load,
            begin: { state, change in
                // Machines may know later numbers of rows than this copy of the database has given.
                if state.isRestored, var own = state.own {
                    own.places = Identifier.make(wallMs: change.now.wallMs)
                    try HouseholdTables.save(own, change.database)
                    state.own = own
                }
                state.lastNews = change.now.wallMs
            },
            routes: Joining.routes + Sharing.routes,
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
    static var routes: [ServiceRoute<HouseholdState>] {
        [
            ServiceRoute<HouseholdState>.query(HouseholdShow.self) { state, _, context, _ in
                let seen = try context.prepared.of(PresentAsk.self)?.devices ?? []
                return show(state, seen, nowMs: context.now.wallMs)
            }
            .after(.of(PresentAsk.self, .companion, for: HouseholdShow.self) { _, _, _ in Empty() }),
            ServiceRoute<HouseholdState>.write(HouseholdStart.self) { state, request, context, change in
                _ = try context.prepared.guardian()
                let address = try InvitationCode.checked(address: request.address)
                let own = HouseholdState.Own(
                    address: address,
                    secret: try state.own?.secret ?? KeyPair.make().secret,
                    places: state.own?.places ?? Identifier.make(wallMs: change.now.wallMs)
                )
                try HouseholdTables.save(own, change.database)
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
            .write(HouseholdInvite.self) { state, _, context, change in try invite(&state, context, change) },
            .write(HouseholdJoin.self) { state, request, context, change in
                try join(request, &state, context, change)
            },
            .write(HouseholdConfirm.self) { state, request, _, change in
                HouseholdConfirm.Reply(device: state.view(try confirm(request.number, &state, change)))
            },
            ServiceRoute<HouseholdState>.write(HouseholdRemove.self) { state, request, context, change in
                _ = try context.prepared.guardian()
                return try remove(request.device, &state, change)
            }
            .after(
                .guardian(for: HouseholdRemove.self, "put a machine out", { $0.proof }) { state, _, _ in
                    state.household.members.first { $0.role == .child }?.name
                }
            ),
        ]
    }

    private static func show(_ state: HouseholdState, _ seen: [DevicePresence], nowMs: Int64)
        -> HouseholdShow.Reply
    {
        HouseholdShow.Reply(
            address: state.own?.address,
            devices: state.present.map { device in
                let presence = seen.first { $0.device == device.id }
                return state.view(device, seenMs: presence?.wallMs, isConnected: presence?.isWaiting == true)
            },
            guests: state.guests.filter { guest in
                state.invitations.contains { $0.id == guest.invitation && $0.untilMs > nowMs }
            }
            .map {
                HouseholdGuest(name: $0.name, accounts: $0.accounts, number: $0.number)
            },
            members: state.members,
            invitations: Int64(state.invitations.count { $0.untilMs > nowMs })
        )
    }

    private static func started(_ state: HouseholdState) throws -> HouseholdState.Own {
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
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> HouseholdInvite.Reply {
        let own = try started(state)
        try prune(&state, change)
        guard state.invitations.count < HouseholdState.invitationsMax else {
            throw Problem(
                "household.too_many_invitations",
                "\(HouseholdState.invitationsMax) invitations are open, which is the limit. They last ten minutes; wait a little."
            )
        }
        let keys = try KeyPair.make()
        let invitation = HouseholdState.Invitation(
            id: Identifier.make(wallMs: change.now.wallMs),
            key: keys.publicKey,
            untilMs: change.now.wallMs + HouseholdInvite.lastsMs
        )
        try HouseholdTables.add(invitation, change.database)
        state.invitations.append(invitation)
        let code = InvitationCode(
            address: own.address,
            server: try KeyPair(secret: own.secret).publicKey,
            secret: keys.secret
        )
        return HouseholdInvite.Reply(code: code.text, until: RFC3339.text(wallMs: invitation.untilMs))
    }

    private static func join(
        _ request: HouseholdJoin.Request,
        _ state: inout HouseholdState,
        _ context: RequestContext,
        _ change: StoreTransaction
    ) throws -> HouseholdJoin.Reply {
        let invitation = try state.invitation(context.principal.remote, wallMs: change.now.wallMs)
        var reply = HouseholdJoin.Reply(members: state.members)
        if request.accounts.isEmpty { return reply }
        let key = try check(request)
        reply.number = InvitationCode.number(
            server: try KeyPair(secret: try started(state).secret).publicKey,
            // With who is to be who, because that is what a person agrees to.
            device: key + request.accounts.flatMap { Array("\($0.here)=\($0.member),".utf8) },
            invitation: invitation.key
        )
        // With other people it takes a person's word again.
        if let device = state.present.first(where: { $0.key == key && $0.accounts == request.accounts }) {
            reply.device = device.id
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
        // The same machine asks otherwise.
        try HouseholdTables.removeGuest(of: invitation.id, change.database)
        state.guests.removeAll { $0.invitation == invitation.id }
        if let index = state.invitations.firstIndex(where: { $0.id == invitation.id }) {
            state.invitations[index].usedBy = key
            try HouseholdTables.save(state.invitations[index], change.database)
        }
        let guest = HouseholdState.Guest(
            invitation: invitation.id,
            name: request.name,
            key: key,
            accounts: request.accounts,
            number: reply.number ?? ""
        )
        try HouseholdTables.add(guest, change.database)
        state.guests.append(guest)
        return reply
    }

    private static func check(_ request: HouseholdJoin.Request) throws -> [UInt8] {
        guard let key = TextFormat.bytes(hex: request.key), key.count == KeyPair.bytes else {
            throw Problem("household.bad_key", "A key is 64 hexadecimal digits.", field: "/key")
        }
        let names = [request.name] + request.accounts.flatMap { [$0.here, $0.member] }
        guard names.allSatisfy({ isName($0) }) else {
            throw Problem(
                "household.bad_name",
                "A name has 1 to \(HouseholdJoin.nameBytesMax) bytes and no control characters.",
                field: "/name"
            )
        }
        let here = Set(request.accounts.map(\.here))
        guard request.accounts.count <= HouseholdAccount.max, here.count == request.accounts.count,
            Set(request.accounts.map(\.member)).count == here.count
        else {
            throw Problem(
                "household.bad_accounts",
                "Each person stands once among the accounts, and there are at most \(HouseholdAccount.max).",
                field: "/accounts"
            )
        }
        return key
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= HouseholdJoin.nameBytesMax
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func confirm(_ number: String, _ state: inout HouseholdState, _ change: StoreTransaction)
        throws
        -> HouseholdState.Device
    {
        try prune(&state, change)
        guard let guest = state.guests.first(where: { $0.number == number }) else {
            throw Problem(
                "household.unknown_number",
                "No machine waits with the number \(TextFormat.fitting(number, bytes: 20)). If that is what the other machine shows, another machine used its code: make a new one.",
                field: "/number",
                help: "screentime household show"
            )
        }
        guard state.present.count < HouseholdState.devicesMax else {
            throw Problem(
                "household.too_many_devices",
                "The household has \(HouseholdState.devicesMax) machines, which is the limit."
            )
        }
        try HouseholdTables.removeGuest(of: guest.invitation, change.database)
        state.guests.removeAll { $0.invitation == guest.invitation }
        // A machine that comes back is the one that it was: what it told before is not counted again.
        let index =
            state.devices.firstIndex { $0.key == guest.key }
            ?? {
                state.devices.append(
                    HouseholdState.Device(
                        id: Identifier.make(wallMs: change.now.wallMs),
                        name: uniqueName(guest.name, state),
                        key: guest.key,
                        accounts: guest.accounts,
                        joinedMs: change.now.wallMs
                    )
                )
                return state.devices.count - 1
            }()
        state.devices[index].isRemoved = false
        if state.devices[index].accounts != guest.accounts {
            state.devices[index].accounts = guest.accounts
            // The use of a person who is new comes with all that the machine knows.
            state.devices[index].cursor = HouseholdCursor()
        }
        try HouseholdTables.save(state.devices[index], change.database)
        return state.devices[index]
    }

    /// Two laptops are both called laptop.
    private static func uniqueName(_ name: String, _ state: HouseholdState) -> String {
        let taken = Set(state.devices.map(\.name))
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
    }

    private static func remove(_ wanted: String, _ state: inout HouseholdState, _ change: StoreTransaction)
        throws
        -> HouseholdRemove.Reply
    {
        guard
            let index = state.devices.firstIndex(where: {
                !$0.isRemoved && ($0.id == wanted || $0.name == wanted)
            })
        else {
            let near = TextFormat.closest(to: wanted, in: state.present.map(\.name)).map {
                " Did you mean \($0)?"
            }
            throw Problem(
                "household.unknown_device",
                "The household has no machine called \(TextFormat.fitting(wanted, bytes: 80)).\(near ?? "")",
                field: "/device",
                help: "screentime household show"
            )
        }
        state.devices[index].isRemoved = true
        state.open[state.devices[index].id] = nil
        state.noteNews(of: state.devices[index].id)
        try HouseholdTables.save(state.devices[index], change.database)
        return HouseholdRemove.Reply(name: state.devices[index].name, rows: state.devices[index].rows)
    }

    /// Forgets invitations that are over, with the machines that came by them.
    private static func prune(_ state: inout HouseholdState, _ change: StoreTransaction) throws {
        let over = state.invitations.filter { $0.untilMs <= change.now.wallMs }.map(\.id)
        for id in over { try HouseholdTables.removeInvitation(id, change.database) }
        state.invitations.removeAll { over.contains($0.id) }
        state.guests.removeAll { over.contains($0.invitation) }
    }
}

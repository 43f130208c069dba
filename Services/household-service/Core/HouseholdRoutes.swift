import STContracts
import STCrypto
import STEngine
import STFollowing
import STPlatform

/// The routes that this machine's own account may call. `MachineRoutes` contains the routes for other
/// machines.
struct HouseholdRoutes {
    let stores: HouseholdStores

    var all: [ServiceRoute<HouseholdState>] { household + membership + [phone] }

    // MARK: - The household

    private var household: [ServiceRoute<HouseholdState>] {
        [
            ServiceRoute<HouseholdState>.query(HouseholdShow.self) { [stores] state, _, context, _ in
                try stores.requireSeen(state)
                let seen = try context.prepared.reply(PresenceQuery.self)?.devices ?? []
                var reply = HouseholdViews.show(state, seen, at: context.now.wall)
                reply.keepDays = stores.keepDays == 0 ? nil : stores.keepDays
                reply.rekey = try state.rekey()
                return reply
            }
            .after(.of(PresenceQuery.self, source: .worker, for: HouseholdShow.self) { _, _, _ in Empty() }),
            .query(HouseholdSums.self) { [stores] _, request, _, database in
                var sums = try stores.of(database).sums(UsageSumConversion.query(request))
                let isCut = sums.count > UsageSumQuery.rowsMax
                if isCut { sums.removeLast() }
                return HouseholdSums.Reply(sums: sums.map(UsageSumConversion.sum), isCut: isCut)
            },
            ServiceRoute<HouseholdState>.write(HouseholdStart.self) {
                [stores] state, request, context, change in
                _ = try context.prepared.guardian()
                let address = try InvitationCode.checked(address: request.address)
                var own = HouseholdState.ServiceIdentity(
                    address: address,
                    secret: try stores.of(change.database).adoptSecret(
                        on: state.identity?.secret ?? KeyPair.make().secret
                    ),
                    places: state.identity?.places ?? Identifier.make(wallMs: change.now.wallMs)
                )
                (own.phones, own.next) = (state.identity?.phones, state.identity?.next)
                try HouseholdTables.save(own, change.database)
                state.unsaved.append(.address(address, before: state.identity?.address))
                state.identity = own
                return HouseholdStart.Reply(address: address)
            }
            .after(
                .guardian(
                    for: HouseholdStart.self,
                    Message("purpose.move-household", "move the household"),
                    { $0.proof }
                ) { state, asked, _ in
                    // After a move, the machines have no connection until they receive the new address.
                    guard let own = state.identity, own.address != asked.address, !state.activeDevices.isEmpty
                    else {
                        return nil
                    }
                    return state.child
                }
            ),
        ]
    }

    // MARK: - Machines

    private var membership: [ServiceRoute<HouseholdState>] {
        [
            .write(HouseholdInvite.self) { [stores] state, _, _, change in
                try stores.prepareChange(&state, change)
                return try MachineAdmission.invite(&state, change.now)
            },
            // A token admits machines without a person's confirmation.
            requiringGuardian(
                HouseholdToken.self,
                purpose: Message("purpose.approve-machines", "approve machines"),
                unless: { $0.ends == true },
                proof: { $0.proof }
            ) {
                try MachineAdmission.token($1, state: &$0, now: $3.now)
            },
            // A rule that is loosened on a machine with a guardian becomes looser on all machines.
            requiringGuardian(
                HouseholdConfirm.self,
                purpose: Message("purpose.approve-machine", "approve a machine"),
                proof: { $0.proof }
            ) { state, request, _, change in
                let device = try MachineAdmission.confirm(request.number, state: &state, now: change.now)
                return HouseholdConfirm.Reply(device: HouseholdViews.view(device))
            },
            requiringGuardian(
                HouseholdRemove.self,
                purpose: Message("purpose.remove-machine", "remove a machine"),
                proof: { $0.proof }
            ) { state, request, _, change in
                let device = try state.device(called: request.device)
                try MachineAdmission.remove(device, state: &state, now: change.now)
                return HouseholdRemove.Reply(name: device.name, rows: device.rows)
            },
            requiringGuardian(
                HouseholdTrust.self,
                purpose: Message("purpose.trust-machine", "trust a machine"),
                proof: { $0.proof }
            ) {
                state,
                request,
                _,
                _ in
                var device = try state.device(called: request.device)
                device.isTrusted = request.isTrusted
                // Grants made on that machine now apply, or no longer apply.
                device.requests.changes += 1
                state.save(device)
                return HouseholdConfirm.Reply(device: HouseholdViews.view(device))
            },
            // Machines that have not received the new key lose their connection.
            requiringGuardian(
                HouseholdRekey.self,
                purpose: Message("purpose.change-key", "change the household's key"),
                proof: { $0.proof }
            ) {
                [stores] state, request, _, change in
                // Another service may have made the next key.
                try stores.refresh(&state, change)
                let before = try state.requireIdentity()
                if before.next == nil {
                    var own = before
                    own.next = try KeyPair.make().secret
                    state.identity = own
                    state.unsaved.append(.keys(own, before: before))
                }
                let asked = try state.rekey()
                // A key made by this request is not adopted immediately, because no machine has received it.
                try MachineAdmission.adoptNextKey(&state, now: request.now == true && before.next != nil)
                return HouseholdRekey.Reply(
                    machines: asked?.machines ?? 0,
                    known: asked?.known ?? 0,
                    isTaken: state.identity?.next == nil
                )
            },
        ]
    }

    /// A change that requires a guardian's passcode while a child is among the people of this machine.
    private func requiringGuardian<R: Route>(
        _ route: R.Type,
        purpose: Message,
        unless isFree: @escaping @Sendable (R.Request) -> Bool = { _ in false },
        proof: @escaping @Sendable (R.Request) -> Proof?,
        work:
            @escaping @Sendable (inout HouseholdState, R.Request, RequestContext, StoreTransaction) throws
            -> R.Reply
    ) -> ServiceRoute<HouseholdState> {
        ServiceRoute<HouseholdState>.write(route) { [stores] state, request, context, change in
            _ = try context.prepared.guardian()
            try stores.prepareChange(&state, change)
            return try work(&state, request, context, change)
        }
        .after(.guardian(for: route, purpose, proof) { state, asked, _ in isFree(asked) ? nil : state.child })
    }

    // MARK: - Phones

    private var phone: ServiceRoute<HouseholdState> {
        // Changes from a phone can loosen a child's rules on all machines.
        requiringGuardian(
            HouseholdPhone.self,
            purpose: Message("purpose.add-phone", "add a phone"),
            proof: { $0.proof }
        ) {
            state,
            request,
            context,
            change in
            guard let made = try context.prepared.reply(PhoneLinkQuery.self) else {
                throw Problem(
                    "unavailable",
                    "household-service is still starting. Try again in a moment.",
                    key: "unavailable.household-service-is",
                    retryable: true
                )
            }
            if let problem = made.problem { throw problem }
            if let place = made.place, place != state.identity?.phones, var own = state.identity {
                own.phones = place
                try HouseholdTables.save(own, change.database)
                state.identity = own
            }
            return HouseholdPhone.Reply(
                link: made.link,
                until: RFC3339.text(wallMs: change.now.wallMs + HouseholdPhone.lastsMs),
                fingerprint: made.fingerprint,
                members: try Phones.members(request, state)
            )
        }
        .after(
            .of(PhoneLinkQuery.self, source: .worker, for: HouseholdPhone.self) { state, request, answers in
                let own = try state.requireIdentity()
                let prover = try answers.guardian()
                let host = own.address[..<(own.address.lastIndex(of: ":") ?? own.address.endIndex)]
                let port = own.phones?.address.split(separator: ":").last.map(String.init)
                let address = request.address ?? "\(host):\(port ?? String(HouseholdPhone.portDefault))"
                return PhoneLinkQuery.Request(
                    address: try InvitationCode.checked(address: address),
                    place: own.phones,
                    pairing: PhonePairing(
                        name: try MachineAdmission.checked(name: request.name),
                        by: prover ?? state.household.owner ?? request.name,
                        isProved: prover != nil,
                        members: try Phones.members(request, state),
                        lessons: try request.lessons.map { try Lessons.checked($0, of: request.name) }
                    )
                )
            }
        )
    }
}

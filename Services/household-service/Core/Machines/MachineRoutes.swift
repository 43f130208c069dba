import STBus
import STContracts
import STEngine
import STPlatform

/// The routes that other machines may call. `household.join` requires the key of an invitation. All other
/// routes require the key of a machine of the household.
struct MachineRoutes {
    let stores: HouseholdStores

    var all: [ServiceRoute<HouseholdState>] { queries + changes + [push, pull] + exchanges }

    private var queries: [ServiceRoute<HouseholdState>] {
        [
            .write(HouseholdJoin.self) { [stores] state, request, context, change in
                try stores.prepareChange(&state, change)
                let invitation = try state.invitation(context.principal.remote, at: change.now.wall)
                return try MachineAdmission.join(request, by: invitation, state: &state, now: change.now)
            },
            ServiceRoute<HouseholdState>.query(HouseholdMachines.self) { state, request, context, _ in
                _ = try state.machine(context.principal.remote)
                let seen = try context.prepared.reply(PresenceQuery.self)?.devices ?? []
                let wanted = request.machine
                let found = state.activeDevices.filter {
                    wanted == nil || $0.name == wanted || $0.id == wanted
                }
                .filter { device in
                    request.member == nil || device.accounts.contains { $0.member == request.member }
                }
                .prefix(HouseholdMachines.max)
                // Phones cannot answer letters.
                let keys = found.filter { $0.phone == nil }.map { ($0.id, TextFormat.hex($0.key)) }
                return HouseholdMachines.Reply(
                    devices: found.map { HouseholdViews.view($0, seen) },
                    keys: Dictionary(uniqueKeysWithValues: keys)
                )
            }
            .after(
                .of(PresenceQuery.self, source: .worker, for: HouseholdMachines.self) { _, _, _ in Empty() }
            ),
            // Replies with the rows whose copies the machine has to delete.
            .query(HouseholdGone.self) { [stores] state, request, context, database in
                _ = try state.machine(context.principal.remote)
                let segments = request.segments.prefix(UsageCopies.rowsMax)
                return HouseholdGone.Reply(
                    gone: try stores.of(database).missing(Array(segments), of: request.device)
                )
            },
        ]
    }

    private var changes: [ServiceRoute<HouseholdState>] {
        [
            change(HouseholdPost.self) { state, request, machine, _, change in
                try MessageRelay.post(request, from: machine.id, state: &state, now: change.now)
            },
            change(HouseholdRenew.self) { state, request, machine, _, change in
                let key = try MachineAdmission.checked(key: request.key)
                let taken =
                    state.devices.map(\.key) + state.invitations.map(\.key) + state.pendingMachines.map(\.key)
                guard key == machine.key || !taken.contains(key) else {
                    throw Problem(
                        "household.bad_key",
                        "Another machine already uses this key. Create a new key.",
                        key: "household.bad_key.another-machine-has",
                        field: "/key"
                    )
                }
                if machine.key != key { machine.renewedAt = change.now.wall }
                machine.key = key
                state.save(machine)
            },
            change(HouseholdAccounts.self) { state, request, machine, _, change in
                guard machine.token != nil else {
                    throw Problem(
                        "household.accounts_agreed",
                        """
                        The people on this machine were matched with the members of the household when the \
                        machine joined. To change this, join the household again.
                        """,
                        help: "screentime household join CODE"
                    )
                }
                try MachineAdmission.check(request.accounts)
                var gone = machine
                gone.accounts.removeAll { request.accounts.contains($0) }
                state.upsert([], of: gone, received: change.now.boot)
                // The machine keeps its cursor, because it has not sent any usage of the new people.
                machine.accounts = request.accounts
                state.save(machine)
                state.unsaved.append(.openUsage(machine.id))
            },
            change(HouseholdLeave.self) { state, _, machine, context, _ in
                machine.leftAt = context.now.wall
                try MachineAdmission.remove(machine, state: &state, now: context.now)
                if state.activeDevices.isEmpty { MachineAdmission.removeUsedInvitations(&state) }
            },
        ]
    }

    private func change<R: Route>(
        _ route: R.Type,
        _ work:
            @escaping @Sendable (
                inout HouseholdState, R.Request, inout HouseholdState.Device, RequestContext, StoreTransaction
            ) throws -> Void
    ) -> ServiceRoute<HouseholdState> where R.Reply == Empty {
        .write(route) { [stores] state, request, context, change in
            try stores.prepareChange(&state, change)
            var machine = try state.machine(context.principal.remote)
            try work(&state, request, &machine, context, change)
            return Empty()
        }
    }

    // MARK: - Usage

    private var push: ServiceRoute<HouseholdState> {
        // Decode on the bus thread, concurrently with database writes, because a request contains hundreds of
        // rows.
        ServiceRoute<HouseholdState>.write(
            HouseholdPush.self,
            reading: { $0 },
            after: PresenceQuery.self,
            of: .worker,
            ask: { _ in nil },
            { [stores] state, request, _, context, change in
                try stores.prepareChange(&state, change)
                let reply = try UsageUpload.push(
                    request,
                    by: state.machine(context.principal.remote),
                    state: &state,
                    now: change.now,
                    firstDay: stores.firstDay(change.now.wall)
                )
                // The machine has started a new ledger, perhaps because a person has deleted a part of the
                // old one.
                if state.unsaved.contains(where: \.isFullLedger) { try change.scrubAfterCommit() }
                try MachineAdmission.adoptNextKey(&state)
                return reply
            }
        )
    }

    private var pull: ServiceRoute<HouseholdState> {
        ServiceRoute<HouseholdState>.query(HouseholdPull.self) { [stores] state, request, context, database in
            let machine = try state.machine(context.principal.remote)
            let places = state.identity?.places ?? ""
            let letters = request.holding.map { state.messages(to: machine.id, besides: $0) } ?? []
            let page = try UsageUpload.page(
                machine,
                after: request.places == places ? request.after : [:],
                stores.of(database),
                // A letter can use all the space of a reply.
                isFull: !letters.isEmpty
            )
            let open = state.open(besides: machine, at: context.now.boot)
            let named = Set((page.rows + open.map(\.segment)).compactMap(\.device))
            return HouseholdPull.Reply(
                devices: named.sorted().compactMap { state.device($0) }
                    .map { HouseholdDeviceName(device: $0.id, name: $0.name) },
                accounts: machine.accounts,
                rows: page.rows,
                open: open,
                through: page.through,
                news: state.news(for: machine),
                wallMs: context.now.wallMs,
                more: page.more,
                places: places,
                addresses: state.addresses,
                letters: letters.isEmpty ? nil : letters,
                rules: state.ruleNews(for: machine),
                forgets: state.deletions(for: machine),
                requests: state.requestNews(for: machine),
                nextKey: try state.nextKey
            )
        }
        .after(
            Preparation(source: .worker, route: NewsQuery.name) { state, request in
                let asked = try request.read(HouseholdPull.Request.self)
                let ask = NewsQuery.Request(try state.machine(request.principal.remote), asked)
                guard state.identity?.places == asked.places, asked.waitMs > 0, !state.hasNews(ask) else {
                    return nil
                }
                return try ask.encodedBody()
            }
        )
    }

    // MARK: - Rules and requests for more time

    private var exchanges: [ServiceRoute<HouseholdState>] {
        [
            .write(HouseholdRules.self) { [stores] state, request, context, change in
                // Apply what other services have stored about children before this exchange.
                try stores.refresh(&state, change)
                let machine = try state.machine(context.principal.remote)
                return try HouseholdRuleMerger.exchange(request, with: machine, &state)
            },
            .write(HouseholdRequests.self) { [stores] state, request, context, change in
                try stores.refresh(&state, change)
                var machine = try state.machine(context.principal.remote)
                let now = context.now.wall
                let (open, why) = try HouseholdRequestMerger.admitted(request, of: machine, at: now)
                let takenBack = request.takenBack.sorted()
                if open != machine.requests.open || takenBack != machine.requests.takenBack {
                    machine.requests.open = open
                    machine.requests.takenBack = takenBack
                    machine.requests.changes += 1
                    state.save(machine)
                }
                return HouseholdRequestMerger.reply(to: machine, why, state, at: now)
            },
        ]
    }
}

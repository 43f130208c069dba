import STContracts
import STEngine
import STFollowing
import STPlatform

/// Trust in machines: guardians may loosen children's rules for all machines only on trusted ones.
enum Trust {
    static func route(_ stores: HouseholdStores) -> ServiceRoute<HouseholdState> {
        ServiceRoute<HouseholdState>.write(HouseholdTrust.self) { state, request, context, change in
            _ = try context.prepared.guardian()
            try stores.ready(&state, change)
            var device = try device(called: request.device, state)
            device.isTrusted = request.isTrusted
            // Grants made on that machine now apply, or no longer apply.
            device.requests.changes += 1
            state.put(device)
            state.unsaved.append(.device(device.id))
            return HouseholdConfirm.Reply(device: state.view(device))
        }
        .after(
            .guardian(for: HouseholdTrust.self, "trust a machine", { $0.proof }) { state, _, _ in
                state.household.members.first { $0.role == .child }?.name
            }
        )
    }

    static func device(called wanted: String, _ state: HouseholdState) throws -> HouseholdState.Device {
        if let found = state.present.first(where: { $0.id == wanted || $0.name == wanted }) { return found }
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
}

import STBus
import STContracts
import STEngine
import STPlatform

/// Ends the membership of machines and phones: a guardian removes one, or a machine leaves.
enum Removal {
    static func remove(_ wanted: String, _ state: inout HouseholdState, _ now: TimeReading) throws
        -> HouseholdRemove.Reply
    {
        let device = try Trust.device(called: wanted, state)
        try remove(device, &state, now)
        return HouseholdRemove.Reply(name: device.name, rows: device.rows)
    }

    static func leave(_ stores: HouseholdStores) -> ServiceRoute<HouseholdState> {
        .write(HouseholdLeave.self) { state, _, context, change in
            try stores.ready(&state, change)
            var device = state.devices[try state.device(context.principal.remote)]
            device.leftMs = context.now.wallMs
            try remove(device, &state, context.now)
            if state.present.isEmpty { forgetUsedInvitations(&state) }
            return Empty()
        }
    }

    private static func remove(
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
    private static func forgetUsedInvitations(_ state: inout HouseholdState) {
        let waiting = Set(state.guests.map(\.invitation))
        for invitation in state.invitations where invitation.machines == nil && invitation.usedBy != nil {
            if !waiting.contains(invitation.id) { state.remove(invitation) }
        }
    }
}

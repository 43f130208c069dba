import STContracts
import STPlatform

/// Replies about the household and its machines, from memory.
enum HouseholdViews {
    static func show(_ state: HouseholdState, _ seen: [DevicePresence], nowMs: Int64)
        -> HouseholdShow.Reply
    {
        let tokens = state.invitations.filter { $0.untilMs > nowMs }.compactMap { token in
            token.machines.map {
                HouseholdToken.Open(
                    machines: $0,
                    joined: MachineAdmission.joined(token.id, state),
                    until: RFC3339.text(wallMs: token.untilMs)
                )
            }
        }
        return HouseholdShow.Reply(
            address: state.identity?.address,
            devices: state.listedDevices(nowMs: nowMs).map { view($0, seen) },
            guests: state.pendingMachines.filter { guest in
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

    static func view(_ device: HouseholdState.Device, _ seen: [DevicePresence] = []) -> HouseholdDevice {
        let presence = seen.first { $0.device == device.id }
        return HouseholdDevice(
            device: device.id,
            name: device.name,
            accounts: device.accounts,
            joinedAt: RFC3339.text(wallMs: device.joinedMs),
            seenAt: [device.seenMs, presence?.wallMs].compactMap(\.self).max().map {
                RFC3339.text(wallMs: $0)
            },
            isConnected: presence?.isWaiting == true && !device.isRemoved,
            rows: device.rows,
            clockOffMs: device.clockOffsetMs == 0 ? nil : device.clockOffsetMs,
            aside: device.rejectedUploads == 0 ? nil : device.rejectedUploads,
            guardians: device.guardians.isEmpty ? nil : device.guardians,
            phoneOf: device.isGuardians ? device.phone?.by : nil,
            breaks: device.auditor.breaks.isEmpty ? nil : device.auditor.breaks,
            renewedAt: device.renewedMs.map { RFC3339.text(wallMs: $0) },
            lessons: device.phone?.lessons,
            backAt: device.returnedMs.map { RFC3339.text(wallMs: $0) },
            isTrusted: device.guardians.isEmpty ? nil : device.isTrusted,
            leftAt: device.leftMs.map { RFC3339.text(wallMs: $0) }
        )
    }
}

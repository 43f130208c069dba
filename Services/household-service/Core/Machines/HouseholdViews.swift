import STContracts
import STPlatform

/// Replies about the household and its machines, from memory.
enum HouseholdViews {
    static func show(_ state: HouseholdState, _ seen: [DevicePresence], at now: WallTime)
        -> HouseholdShow.Reply
    {
        let tokens = state.invitations.filter { $0.until > now }.compactMap { token in
            token.machines.map {
                HouseholdToken.Open(
                    machines: $0,
                    joined: MachineAdmission.joined(token.id, state),
                    until: RFC3339.text(wallMs: token.until.ms)
                )
            }
        }
        return HouseholdShow.Reply(
            address: state.identity?.address,
            devices: state.listedDevices(at: now).map { view($0, seen) },
            guests: state.pendingMachines.filter { guest in
                state.invitations.contains { $0.id == guest.invitation && $0.until > now }
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
            invitations: Int64(state.invitations.count { $0.until > now && $0.machines == nil }),
            tokens: tokens.isEmpty ? nil : tokens
        )
    }

    static func view(_ device: HouseholdState.Device, _ seen: [DevicePresence] = []) -> HouseholdDevice {
        let presence = seen.first { $0.device == device.id }
        return HouseholdDevice(
            device: device.id,
            name: device.name,
            accounts: device.accounts,
            joinedAt: RFC3339.text(wallMs: device.joinedAt.ms),
            seenAt: [device.seenAt?.ms, presence?.wallMs].compactMap(\.self).max().map {
                RFC3339.text(wallMs: $0)
            },
            isConnected: presence?.isWaiting == true && !device.isRemoved,
            rows: device.rows,
            clockOffMs: device.clockOffset == .zero ? nil : device.clockOffset.ms,
            aside: device.rejectedUploads == 0 ? nil : device.rejectedUploads,
            guardians: device.guardians.isEmpty ? nil : device.guardians,
            phoneOf: device.isGuardians ? device.phone?.by : nil,
            breaks: device.auditor.breaks.isEmpty ? nil : device.auditor.breaks,
            renewedAt: device.renewedAt.map { RFC3339.text(wallMs: $0.ms) },
            lessons: device.phone?.lessons,
            backAt: device.returnedAt.map { RFC3339.text(wallMs: $0.ms) },
            isTrusted: device.guardians.isEmpty ? nil : device.isTrusted,
            leftAt: device.leftAt.map { RFC3339.text(wallMs: $0.ms) }
        )
    }
}

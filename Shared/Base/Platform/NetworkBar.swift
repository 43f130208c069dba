import STCPlatform

/// What keeps a child from the network.
package enum NetworkBar: Sendable {
    /// Nobody wanted it.
    case open
    /// It is there, and tells of each try.
    case told(NetworkRefusals)
    /// It is there; this kernel tells of nothing.
    case silent
    /// The kernel refused it, with this reason.
    case failed(String)

    init(_ offline: st_spawn_offline) {
        if offline.problem != 0 {
            self = .failed(SystemError.text(offline.problem))
        } else if offline.refusals >= 0 {
            self = .told(NetworkRefusals(OwnedDescriptor(offline.refusals)))
        } else {
            self = .silent
        }
    }
}

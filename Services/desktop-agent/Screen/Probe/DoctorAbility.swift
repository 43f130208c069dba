/// What an adapter may be able to do.
package enum DoctorAbility: String, Sendable, CaseIterable {
    case processes, frames, idle, covers, holdsInput, minimizes
}

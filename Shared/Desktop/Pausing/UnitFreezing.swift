/// Whoever can freeze a unit of systemd for us.
package protocol UnitFreezing: Sendable {
    /// Waits for the answer, with a deadline of its own; false when it did not work.
    func setFrozen(_ isFrozen: Bool, unit: String) -> Bool
}

import STDesktop

/// Who wants to know what is on the screen: shields, panels.
///
/// Called on the bus thread for every event, in order, with the scene as it is after it; returns at once.
protocol SceneFollower: Sendable {
    func sceneChanged(_ scene: DesktopScene, _ event: DesktopEvent)

    /// At that moment something about the app in front may be decided.
    func checkComes(atBootMs bootMs: Int64)

    /// Somebody else sits here, or somebody came, left or locked the screen: `DesktopFacts` has it.
    func presenceChanged()
}

extension SceneFollower {
    func checkComes(atBootMs bootMs: Int64) {}

    func presenceChanged() {}
}

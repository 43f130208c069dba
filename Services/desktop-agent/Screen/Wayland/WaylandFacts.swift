/// What there is to know of a Wayland display without using it; what is missing is a fact, not an error.
package struct WaylandFacts: Sendable, Equatable {
    /// The socket that the environment names; nil when it names none.
    package var socket: String?
    /// Whether somebody listens there.
    package var isReachable = false
    /// Whether it also said what it offers.
    package var hasAnswered = false
    package var globals: [WaylandGlobal] = []
    package var compositorPid: Int32?
    /// The name of the compositor's executable.
    package var compositorProgram: String?
    /// `XDG_CURRENT_DESKTOP`.
    package var desktop: String?
    /// Whether `SWAYSOCK` is set, which tells where windows are.
    package var hasSwaySocket = false
    /// Why it is not reachable, or has not answered, as a sentence.
    package var problem: String?

    package init() {}

    /// Whether `WaylandScreen` can work here.
    package var isEnough: Bool { hasAnswered && missing.isEmpty }

    /// What `WaylandScreen` cannot do without and is not offered.
    package var missing: [String] {
        WaylandScreen.needed.filter { !offers($0) }
    }

    package func offers(_ interface: String) -> Bool { globals.contains { $0.interface == interface } }
}

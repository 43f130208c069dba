import STPlatform

extension WaylandScreen {
    /// How long a probe takes at most.
    static let probeMs: Int64 = 2_000

    /// Looks what a display offers, and uses nothing of it.
    package static func probe(environment: [String: String]) -> WaylandFacts {
        var facts = WaylandFacts()
        facts.desktop = environment["XDG_CURRENT_DESKTOP"].flatMap { $0.isEmpty ? nil : TextCare.safe($0) }
        facts.hasSwaySocket = environment["SWAYSOCK"].map { !$0.isEmpty } ?? false
        guard let socket = WaylandSocket(environment) else {
            facts.problem = "WAYLAND_DISPLAY is not set, or XDG_RUNTIME_DIR is missing."
            return facts
        }
        facts.socket = TextCare.safe(socket.path)
        switch WaylandSocket.connect(socket.path) {
        case .failure(let problem):
            facts.problem = problem.message
            return facts
        case .success(let descriptor):
            facts.isReachable = true
            let peer = WaylandSocket.peer(descriptor.number)
            facts.compositorPid = peer?.pid
            facts.compositorProgram = peer?.program
        }
        do {
            facts.globals = try WaylandConnection(socket.path, withinMs: probeMs).globals
            facts.hasAnswered = true
        } catch {
            facts.problem = error.message
        }
        return facts
    }
}

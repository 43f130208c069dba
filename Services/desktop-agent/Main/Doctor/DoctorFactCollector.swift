import Glibc
import STContracts
import STDesktop
import STPausing
import STPlatform
import STScreen
import STServiceKit

/// Builds the reply of `desktop.doctor`.
enum DoctorFactCollector {
    /// The kinds of programs that are never paused, as texts for people.
    private static let neverPaused = [
        Message(
            "agent.screen-time-is-never-paused",
            "Screen Time itself, and the programs it was started from, such as this terminal."
        ),
        Message(
            "agent.terminals-are-never-paused",
            "Terminals, because the programs that run in them would stop, too."
        ),
        Message(
            "agent.desktop-is-never-paused",
            "The desktop: compositor, window manager, panels, session bus, sound, notifications."
        ),
        Message(
            "agent.helpers-are-never-paused",
            "Input methods, screen readers, keyrings, and programs that ask for a password or lock the screen."
        ),
    ]

    /// Returns the facts that are available both in the service and in a probe.
    static func facts(_ configuration: Configuration, session: SessionFacts?, programs: Int?) -> DoctorFacts {
        var facts = DoctorFacts()
        facts.escalation = Escalation(rawValue: configuration.value(.desktopEscalation)) ?? .pause
        facts.escalateAfter = .milliseconds(configuration.number(.desktopEscalateAfter))
        facts.idleAfter = .milliseconds(configuration.number(.desktopIdle))
        facts.exemptApps = ConfigurationKey.names(configuration.value(.desktopNeverPause))
        facts.programs = programs
        if let session {
            facts.session = session.session?.id
            facts.isLogindReachable = session.systemBusProblem == nil
            facts.isSessionBusReachable = session.sessionBusProblem == nil
            facts.screenSavers = session.screenSavers
            facts.notifications = session.notifications
        }
        facts.canDraw = access(Self.drawingProgram, X_OK) == 0
        (facts.canFreeze, facts.freezer) = freezer()
        facts.supportsScreenReaders = true
        facts.exemptionReasons = neverPaused
        return facts
    }

    static func abilities(_ abilities: ScreenAbilities) -> [DoctorAbility: Bool] {
        [
            .processes: abilities.reportsProcesses, .frames: abilities.reportsFrames,
            .idle: abilities.reportsIdle,
            .covers: abilities.covers, .holdsInput: abilities.holdsInput, .minimizes: abilities.minimizes,
        ]
    }

    /// The path of `screentime-draw`, which is installed in the folder of this program.
    static var drawingProgram: String { (ProcFile.ownFolder() ?? ".") + "/screentime-draw" }

    /// Returns true if this account has its own cgroups, in which each app can have one. Otherwise returns the reason.
    private static func freezer() -> (Bool, Message?) {
        guard CgroupTree() != nil else {
            return (false, Message("agent.no-cgroups-in-kernel", "this kernel does not provide cgroup v2"))
        }
        guard let folder = CgroupTree.own, access(folder + "/cgroup.freeze", F_OK) == 0 else {
            let reason = Message(
                "agent.no-cgroup-of-session",
                "this session does not put each app into its own cgroup, as systemd does"
            )
            return (false, reason)
        }
        return (true, nil)
    }
}

import STContracts
import STPlatform

/// Whether somebody is there, and how that is known.
extension DoctorReport {
    static func presence(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> [DoctorFinding]
    {
        [idle(signs, choice, facts), films(facts)].compactMap(\.self) + [gamepads(facts)] + locks(facts)
    }

    private static func idle(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> DoctorFinding
    {
        let seesIdle =
            facts.abilities?[.idle] ?? (choice.kind == .x11 ? signs.x11?.tellsIdle : signs.wayland?.tellsIdle)
        guard seesIdle == true else {
            return DoctorFinding(
                topic: .presence,
                state: .limited,
                text:
                    "The display does not say whether somebody is there: time goes on until the screen is locked."
            )
        }
        let after =
            facts.idleMs.map { ": after \(TextFormat.duration(ms: $0)) without either, nobody is" } ?? ""
        return DoctorFinding(
            topic: .presence,
            state: .fine,
            text: "Whether somebody is there is known from keyboard and pointer\(after)."
        )
    }

    private static func films(_ facts: DoctorFacts) -> DoctorFinding? {
        guard let isReachable = facts.isSessionBusReachable else { return nil }
        return isReachable
            ? DoctorFinding(
                topic: .presence,
                state: .fine,
                text: "A film that plays in front counts as use (players tell of it over the session bus)."
            )
            : DoctorFinding(
                topic: .presence,
                state: .limited,
                text:
                    "The session bus does not answer: who watches a film without touching anything is not seen.",
                mend: "Start Screen Time from within the session, or run once: "
                    + "systemctl --user import-environment DBUS_SESSION_BUS_ADDRESS"
            )
    }

    private static func gamepads(_ facts: DoctorFacts) -> DoctorFinding {
        DoctorFinding(
            topic: .presence,
            state: .limited,
            text:
                "Gamepads are not seen: playing with one alone counts only while the game keeps the screen awake."
        )
    }

    private static func locks(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let isReachable = facts.isLogindReachable else { return [] }
        if isReachable, let session = facts.session {
            return [
                DoctorFinding(
                    topic: .presence,
                    state: .fine,
                    text: "Locking, sleep and switching users are heard of from logind (session \(session))."
                )
            ]
        }
        let lock =
            facts.screenSavers.isEmpty
            ? "a lock is not seen" : "a lock is heard of from \(facts.screenSavers.joined(separator: ", "))"
        return [
            DoctorFinding(
                topic: .presence,
                state: .limited,
                text: isReachable
                    ? "logind knows no session of ours: \(lock), and switching users is not."
                    : "logind does not answer: sleep is seen from the clocks alone, \(lock), and switching users is not.",
                mend: isReachable
                    ? "Start Screen Time from within the session."
                    : "sudo apt-get install systemd libpam-systemd"
            )
        ]
    }
}

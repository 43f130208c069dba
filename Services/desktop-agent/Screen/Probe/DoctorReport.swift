package import STContracts

/// The doctor's findings, in the order in which a person wants them; pure.
package enum DoctorReport {
    package static func make(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> DesktopDoctor.Reply
    {
        var findings = [session(signs), adapter(choice)]
        if !choice.isBlind {
            findings += sight(signs, choice, facts)
            findings += presence(signs, choice, facts)
        }
        findings += apps(facts) + notifications(facts)
        findings += shields(signs, choice, facts)
        findings += pausing(choice, facts)
        return DesktopDoctor.Reply(
            adapter: choice.kind,
            reason: choice.reason,
            isBlind: choice.isBlind,
            wayOut: choice.wayOut,
            findings: findings
        )
    }

    private static func session(_ signs: ScreenSigns) -> DoctorFinding {
        DoctorFinding(
            topic: .session,
            state: signs.x11 == nil && signs.wayland == nil ? .missing : .fine,
            text: signs.x11 == nil && signs.wayland == nil
                ? "There is no desktop in this session." : "This session is \(signs.name)."
        )
    }

    private static func adapter(_ choice: AdapterChoice) -> DoctorFinding {
        DoctorFinding(
            topic: .adapter,
            state: choice.isBlind ? .missing : .fine,
            text: choice.reason,
            mend: choice.wayOut
        )
    }

    private static func sight(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> [DoctorFinding]
    {
        var findings = [
            DoctorFinding(
                topic: .sight,
                state: .fine,
                text: "Which app is in front is seen, the moment it changes."
            )
        ]
        let seesProcesses =
            facts.abilities?[.processes]
            ?? (choice.kind == .x11 ? signs.x11?.tellsProcesses : signs.wayland?.hasSway)
        findings.append(
            seesProcesses == true
                ? DoctorFinding(
                    topic: .sight,
                    state: .fine,
                    text: "Which program a window belongs to is known from the display itself."
                )
                : DoctorFinding(
                    topic: .sight,
                    state: .limited,
                    text:
                        "The display does not say which program a window belongs to; what windows call themselves counts, "
                        + "and apps are covered but not paused.",
                    mend: choice.kind == .wlroots
                        ? "sway says it, over its own socket (SWAYSOCK); start Screen Time from within sway."
                        : nil
                )
        )
        findings.append(
            DoctorFinding(
                topic: .sight,
                state: .limited,
                text: "Which site is open in a browser is not seen; a browser counts as an app."
            )
        )
        return findings
    }

    private static func apps(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let programs = facts.programs else { return [] }
        return [
            DoctorFinding(
                topic: .apps,
                state: programs == 0 ? .limited : .fine,
                text: programs == 0
                    ? "No desktop entries were found: apps are called by their executables."
                    : "\(programs) installed apps are known by name."
            )
        ]
    }

    private static func notifications(_ facts: DoctorFacts) -> [DoctorFinding] {
        guard let refused = facts.notificationsRefused else { return [] }
        return [
            refused.isEmpty
                ? DoctorFinding(
                    topic: .notifications,
                    state: .fine,
                    text: "Notifications are counted, app by app."
                )
                : DoctorFinding(
                    topic: .notifications,
                    state: .limited,
                    text: "Notifications are not counted: \(refused)"
                )
        ]
    }

    private static func shields(_ signs: ScreenSigns, _ choice: AdapterChoice, _ facts: DoctorFacts)
        -> [DoctorFinding]
    {
        var findings: [DoctorFinding] = []
        if choice.isBlind {
            findings.append(
                DoctorFinding(
                    topic: .shields,
                    state: .missing,
                    text:
                        "No shield can be put over anything here: rules are kept, and nothing enforces them."
                )
            )
        } else if choice.kind == .wlroots, signs.wayland?.takesLayers != true {
            findings.append(
                DoctorFinding(
                    topic: .shields,
                    state: .missing,
                    text:
                        "This compositor lets nobody draw above windows (it offers no \(WaylandSign.layers)): nothing is covered."
                )
            )
        } else {
            let seesFrames =
                facts.abilities?[.frames] ?? (choice.kind == .x11 || signs.wayland?.hasSway == true)
            findings.append(
                DoctorFinding(
                    topic: .shields,
                    state: seesFrames ? .fine : .limited,
                    text: seesFrames
                        ? "A shield lies exactly over the window of its app."
                        : "The display does not say where windows are: a shield covers the whole monitor."
                )
            )
        }
        if facts.canDraw == false {
            findings.append(
                DoctorFinding(
                    topic: .shields,
                    state: .limited,
                    text: "screentime-draw is not beside desktop-agent: shields are plain, without words.",
                    mend: "Install screentime-draw in the same folder."
                )
            )
        }
        if !choice.isBlind, let tells = facts.tellsReaders {
            findings.append(
                DoctorFinding(
                    topic: .shields,
                    state: tells ? .fine : .limited,
                    text: tells
                        ? "Shields are told to screen readers, with their words and buttons."
                        : "Shields work by pointer and keyboard; they are not told to screen readers yet."
                )
            )
        }
        return findings
    }
}

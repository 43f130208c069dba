import STContracts
import STPlatform
import STStore

/// A member in plain words: what is recorded about them, by which service, for how long, and who sees it.
enum MemberStory {
    private static let attemptsShown = 20

    static func show(
        _ request: MemberShow.Request,
        _ state: AuthState,
        _ now: TimeReading,
        _ database: Database
    ) throws -> MemberShow.Reply {
        let member = try Household.member(request.member, state)
        let stored = state.passcodes[member.name]
        return MemberShow.Reply(
            member: member,
            passcode: PasscodeView(
                isSet: stored != nil,
                changedAt: stored.map { RFC3339.text(wallMs: $0.changedWallMs) },
                wrong: stored?.wrong ?? 0,
                lockedForMs: stored.flatMap { Passcodes.pauseMs(of: $0, now) },
                attempts: try PasscodeTable.attempts(member.name, limit: attemptsShown, database)
            ),
            records: records(member, state),
            authorizations: Permissions.sorted(state).filter { $0.member == member.name },
            notices: state.notices.filter { $0.member == member.name }
        )
    }

    private static func records(_ member: Member, _ state: AuthState) -> [MemberRecord] {
        let people = people(member, state)
        let apps = Permissions.sorted(state).filter { $0.member == member.name && $0.access }.map {
            state.apps[$0.app]?.manifest.name ?? $0.app
        }
        let withApps =
            apps.isEmpty
            ? people : people + " Of what they watch, also the apps: \(apps.joined(separator: ", "))."
        return [
            MemberRecord(
                service: ServiceName.auth.rawValue,
                what: "The name and role, a hash of the passcode (the passcode cannot be read back from it), "
                    + "when wrong passcodes were given, and what each app may do.",
                kept: "For as long as the household has this member; only the last "
                    + "\(Passcodes.attemptsMax) wrong passcodes.",
                seenBy: people
            ),
            MemberRecord(
                service: ServiceName.activity.rawValue,
                what:
                    "Which app or site was in front, from when to when, and when they were away from the computer. "
                    + "Never what was typed, said or shown.",
                kept: "Until it is deleted with `screentime data forget`.",
                seenBy: withApps
            ),
            MemberRecord(
                service: ServiceName.report.rawValue,
                what: "Sums of that use per hour and day.",
                kept: "For as long as the use itself.",
                seenBy: withApps
            ),
            MemberRecord(
                service: ServiceName.monitor.rawValue,
                what:
                    "When an app was called because a time began, ended or was used up, and what the app wrote.",
                kept: "The latest; older ones go by themselves.",
                seenBy: people
            ),
            MemberRecord(
                service: ServiceName.shield.rawValue,
                what:
                    "What apps have set: which apps and sites they shield. Each shield that was shown: for which app "
                    + "or site, when, and which button was pressed. Requests for more time with their reasons and "
                    + "answers, and when wrong codes were given.",
                kept:
                    "Settings until the app or `screentime store clear` takes them away; shields shown until "
                    + "`screentime data forget` deletes their time; only the latest shields and requests.",
                seenBy: withApps
            ),
            MemberRecord(
                service: ServiceName.notifier.rawValue,
                what: "Notifications that apps and rules asked for, with their words.",
                kept: "The latest; older ones go by themselves.",
                seenBy: people
            ),
            MemberRecord(
                service: ServiceName.desktop.rawValue,
                what: "What it has seen and not yet passed on to the other services.",
                kept: "Until it has passed it on, usually within a second.",
                seenBy: people
            ),
        ]
    }

    private static func people(_ member: Member, _ state: AuthState) -> String {
        let guardians = state.members.filter { $0.role == .guardian }.map(\.name)
        let names = guardians.joined(separator: ", ")
        let others =
            switch guardians.count {
            case 1 where member.role == .child: ", the guardian \(names)"
            case 2... where member.role == .child: ", the guardians \(names)"
            default: ""
            }
        return "\(member.name)\(others), everyone who can use this Linux account, and the administrator."
    }
}

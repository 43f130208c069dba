import STContracts
import STPlatform
import STStore

/// The description of a member: the records, the services that store them, their retention period, and who can see them.
enum MemberSummary {
    private static let attemptsShown = 20

    static func show(
        _ request: MemberShow.Request,
        state: AuthState,
        now: TimeReading,
        database: Database
    ) throws -> MemberShow.Reply {
        let member = try HouseholdMembers.member(request.member, state)
        let stored = state.passcodes[member.name]
        return MemberShow.Reply(
            member: member,
            passcode: PasscodeView(
                isSet: stored != nil,
                changedAt: stored.map { RFC3339.text(wallMs: $0.changed.ms) },
                wrong: stored?.wrong ?? 0,
                lockedForMs: stored.flatMap { Passcodes.pause(of: $0, now)?.ms },
                attempts: try PasscodeTable.attempts(member.name, limit: attemptsShown, database)
            ),
            records: records(member, state),
            authorizations: Permissions.sorted(state).filter { $0.member == member.name },
            notices: state.notices.filter { $0.member == member.name }
        )
    }

    private static func records(_ member: Member, _ state: AuthState) -> [MemberRecord] {
        let people = people(member, state)
        let withApps = withApps(people, member: member, state: state)
        return [
            auth(people), activity(withApps),
            MemberRecord(
                service: ServiceName.report.rawValue,
                what: Message("privacy.usage-totals", "The totals of this usage per hour and day."),
                kept: Message("privacy.as-long-as-usage", "As long as the usage itself."),
                seenBy: withApps
            ),
            MemberRecord(
                service: ServiceName.monitor.rawValue,
                what: Message(
                    "privacy.calls-of-apps",
                    """
                    Each call to an app when a monitored interval began or ended, or a time limit was \
                    reached. The output of the app.
                    """
                ),
                kept: latest,
                seenBy: people
            ),
            shield(withApps),
            MemberRecord(
                service: ServiceName.notifier.rawValue,
                what: Message(
                    "privacy.notifications",
                    "The notifications of apps and rules, with their text."
                ),
                kept: latest,
                seenBy: people
            ),
            MemberRecord(
                service: ServiceName.desktop.rawValue,
                what: Message(
                    "privacy.unsent-observations",
                    "Observations that desktop-agent has not yet sent to the other services."
                ),
                kept: Message(
                    "privacy.until-sent",
                    "Until desktop-agent has sent them, usually within a second."
                ),
                seenBy: people
            ),
        ]
    }

    private static let latest = Message(
        "privacy.only-the-latest",
        "Only the latest. Screen Time deletes older ones."
    )

    private static func auth(_ people: Message) -> MemberRecord {
        MemberRecord(
            service: ServiceName.auth.rawValue,
            what: Message(
                "privacy.name-and-passcode",
                """
                The name and role, a hash of the passcode, and the permissions of each app. For each wrong \
                passcode: the time, the purpose, the Linux account and the process. The passcode cannot be \
                read from the hash.
                """
            ),
            kept: Message(
                "privacy.while-a-member",
                """
                As long as this person belongs to the household. Only the records of the last \
                \(Passcodes.attemptsMax, "count") wrong passcodes are kept.
                """
            ),
            seenBy: people
        )
    }

    private static func activity(_ seers: Message) -> MemberRecord {
        MemberRecord(
            service: ServiceName.activity.rawValue,
            what: Message(
                "privacy.apps-and-sites",
                """
                When each app or site was in the foreground, and when this person was away from the computer. \
                Never what was typed, said or shown.
                """
            ),
            kept: Message("privacy.until-forgotten", "Until `screentime data forget` deletes it."),
            seenBy: seers
        )
    }

    private static func shield(_ seers: Message) -> MemberRecord {
        MemberRecord(
            service: ServiceName.shield.rawValue,
            what: Message(
                "privacy.shields-and-requests",
                """
                The apps and sites that each app shields. For each shield: the app or site, the time, and \
                the button that was pressed. Requests for more time with their reasons and answers, and the \
                times of wrong codes.
                """
            ),
            kept: Message(
                "privacy.shields-until-forgotten",
                """
                Settings are kept until the app or `screentime store clear` removes them. Shields are kept \
                until `screentime data forget` deletes the period in which they appeared. Only the latest \
                shields and requests are kept.
                """
            ),
            seenBy: seers
        )
    }

    private static func withApps(_ people: Message, member: Member, state: AuthState) -> Message {
        let apps = Permissions.sorted(state).filter { $0.member == member.name && $0.access }.map {
            state.apps[$0.app]?.manifest.name ?? $0.app
        }
        guard !apps.isEmpty else { return people }
        return Message(
            "privacy.seen-by-apps-too",
            """
            \(people, "people") These apps also have access to the usage that they monitor: \
            \(apps.joined(separator: ", "), "apps").
            """
        )
    }

    private static func people(_ member: Member, _ state: AuthState) -> Message {
        let guardians = state.members.filter { $0.role == .guardian }.map(\.name)
        guard member.role == .child, !guardians.isEmpty else {
            return Message(
                "privacy.seen-by-member",
                "\(member.name, "member"), everyone who can use this Linux account, and the administrator."
            )
        }
        let names = guardians.joined(separator: ", ")
        return Message(
            "privacy.seen-by-guardians",
            count: guardians.count,
            one: """
                \(member.name, "member"), the guardian \(names, "guardians"), everyone who can use this Linux \
                account, and the administrator.
                """,
            other: """
                \(member.name, "member"), the guardians \(names, "guardians"), everyone who can use this Linux \
                account, and the administrator.
                """
        )
    }
}

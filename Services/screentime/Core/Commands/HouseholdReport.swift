import STContracts
import STPlatform
import STZeroMQ

/// `screentime household report`: sums of the usage of all machines, from the household's hub.
enum HouseholdReport {
    private static let keys: [(word: String, key: HouseholdSumKey)] = [
        ("day", .day), ("hour", .hour), ("group", .group), ("member", .member), ("machine", .device),
        ("category", .category), ("app", .app), ("site", .site),
    ]
    private static let words = keys.map(\.word).joined(separator: ", ")
    private static let daysDefault = 7

    static let command = Command(
        ["household", "report"],
        """
        Shows the usage of all people of the household, on all machines together; run it on the \
        household's hub
        """,
        options: [
            .init(
                "--member",
                value: "NAME",
                summary: "only this person, by their name in the household; separate several with commas",
                key: "help.--member.only-this-person-as-the"
            ),
            .init(
                "--days",
                value: "N",
                summary: "the number of days up to today; by default \(daysDefault, "daysDefault")",
                key: "help.--days.so-many-days-up-to"
            ),
            .init(
                "--by",
                value: "WORDS",
                summary: "how to add up the usage: \(words, "words"); by default member,app",
                key: "help.--by.added-up-by-by-default"
            ),
            .init(
                "--group",
                value: "NAMES",
                summary: "groups of this computer's accounts, such as classes, for --by group"
            ),
            .json,
        ],
        example: "screentime household report --by member,machine"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let by = try by(invocation.value("--by") ?? "member,app")
        guard by.contains(.group) == (invocation.value("--group") != nil) else {
            throw Problem(
                "usage.bad_value",
                "Use --by group and --group together: --group names the groups.",
                key: "usage.bad_value.by-group-and",
                help: "screentime household report --by group,app --group class7a,class7b"
            )
        }
        let days = try invocation.value("--days").map(days) ?? daysDefault
        let today = LocalMoment.today(invocation.now)
        let request = HouseholdSums.Request(
            from: today.adding(days: 1 - days).text,
            through: today.text,
            by: by,
            members: list(invocation.value("--member")),
            groups: try list(invocation.value("--group"))?.map(group)
        )
        let reply = try await HouseholdCommand.with(.household, isWanted: false, invocation: invocation) {
            try await $0.call(HouseholdSums.self, request)
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            lines(reply, by: by, days: days, terminal: invocation.terminal)
        }
    }

    static func list(_ text: String?) -> [String]? {
        text.map { $0.split(separator: ",").map(String.init) }
    }

    static func group(_ name: String) throws(Problem) -> HouseholdSums.Group {
        guard let members = AccountGroup.members(of: name) else {
            throw Problem(
                "household.unknown_group",
                """
                There is no group \(TextFormat.truncated(name, bytes: 80), "name") on this computer. `getent \
                group` lists the groups.
                """
            )
        }
        return HouseholdSums.Group(name: name, members: members)
    }

    private static func by(_ text: String) throws(Problem) -> [HouseholdSumKey] {
        let wanted = text.split(separator: ",").map(String.init)
        if let unknown = wanted.first(where: { word in !keys.contains { $0.word == word } }) {
            throw Problem(
                "usage.bad_value",
                """
                “\(TextFormat.truncated(unknown, bytes: 40), "unknown")” is not a valid value of --by. Valid \
                values, separated by commas: \(words, "words").
                """,
                key: "usage.bad_value.by-takes-separated"
            )
        }
        // In the order that suits a table, not in the order that was typed.
        return keys.filter { wanted.contains($0.word) }.map(\.key)
    }

    private static func days(_ text: String) throws(Problem) -> Int {
        guard let days = Int(text), (1...HouseholdSums.daysMax).contains(days) else {
            throw Problem(
                "usage.bad_value",
                "--days must be a number from 1 to \(HouseholdSums.daysMax, "most").",
                key: "usage.bad_value.days-is-a"
            )
        }
        return days
    }

    private static func lines(
        _ reply: HouseholdSums.Reply,
        by: [HouseholdSumKey],
        days: Int,
        terminal: Terminal
    ) -> [String] {
        guard !reply.sums.isEmpty else {
            return [
                Speech.say(
                    "household.nothing-was-used-in",
                    "The household has received no usage for this period."
                )
            ]
        }
        var table = TextTable(
            by.map { (columnTitle($0), .left) } + [(Speech.say("household.time", "TIME"), .right)]
        )
        // By time, and by the longest usage within the same time.
        let sums = reply.sums.sorted {
            ($0.day ?? "", $0.hour ?? 0, $1.ms) < ($1.day ?? "", $1.hour ?? 0, $0.ms)
        }
        for sum in sums {
            table.add(by.map { .init(text(sum, $0)) } + [.init(Speech.duration(ms: sum.ms))])
        }
        let title =
            days == 1
            ? Speech.say("household.today-on-all-machines", "Today, on all machines of the household:")
            : Speech.say(
                "household.the-last-days-on",
                "The last \(days, "days") days, on all machines of the household:"
            )
        let cut =
            reply.isCut
            ? [
                "",
                Speech.say(
                    "household.there-is-more-fewer",
                    "There are more rows. To see them, use fewer days or --member."
                ),
            ] : []
        return [title, ""] + table.lines(columns: terminal.columns, terminal) + cut
    }

    private static func columnTitle(_ key: HouseholdSumKey) -> String {
        switch key {
        case .day: Speech.say("household.title-day", "DAY")
        case .hour: Speech.say("household.title-hour", "HOUR")
        case .group: Speech.say("household.title-group", "GROUP")
        case .member: Speech.say("household.title-who", "WHO")
        case .device: Speech.say("household.title-machine", "MACHINE")
        case .category: Speech.say("household.title-category", "CATEGORY")
        case .app: Speech.say("household.title-app", "APP")
        case .site: Speech.say("household.title-site", "SITE")
        case .unknown: ""
        }
    }

    private static func text(_ sum: HouseholdSums.Sum, _ key: HouseholdSumKey) -> String {
        let text: String? =
            switch key {
            case .member: sum.member
            case .device: sum.device
            case .day: sum.day
            case .hour: sum.hour.map { ($0 < 10 ? "0" : "") + "\($0):00" }
            case .app: sum.app
            case .site: sum.site
            case .category: sum.category
            case .group: sum.group
            case .unknown: nil
            }
        return text.flatMap { $0.isEmpty ? nil : $0 } ?? "–"
    }
}

import STContracts
import STPlatform
import STZeroMQ

/// `screentime household report`: what the household's machine knows of all the others, added up.
enum HouseholdReport {
    private static let keys: [(word: String, key: HouseholdSumKey, title: (String, String))] = [
        ("day", .day, ("DAY", "날")), ("hour", .hour, ("HOUR", "시")), ("group", .group, ("GROUP", "모임")),
        ("member", .member, ("WHO", "사람")), ("machine", .device, ("MACHINE", "컴퓨터")),
        ("category", .category, ("CATEGORY", "분류")), ("app", .app, ("APP", "앱")),
        ("site", .site, ("SITE", "사이트")),
    ]
    private static let words = keys.map(\.word).joined(separator: ", ")
    private static let daysDefault = 7

    static let command = Command(
        ["household", "report"],
        "How long the people of the household used what, on all machines together; asked where the household meets",
        options: [
            .init(
                "--member",
                "NAME",
                "only this person, as the household calls them; several are separated by commas"
            ),
            .init("--days", "N", "so many days up to today; by default \(daysDefault)"),
            .init("--by", "WORDS", "added up by \(words); by default member,app"),
            .init("--group", "NAMES", "groups of this computer's accounts, such as classes, for --by group"),
            .json,
        ],
        example: "screentime household report --by member,machine"
    ) { try await run($0) }

    private static func run(_ invocation: Invocation) async throws -> ExitCode {
        let by = try by(invocation.value("--by") ?? "member,app")
        guard by.contains(where: { $0.key == .group }) == (invocation.value("--group") != nil) else {
            throw Problem(
                "usage.bad_value",
                "--by group and --group belong together: --group names the groups.",
                help: "screentime household report --by group,app --group class7a,class7b"
            )
        }
        let days = try invocation.value("--days").map(days) ?? daysDefault
        let today = LocalMoment.today(invocation.nowMs)
        let request = HouseholdSums.Request(
            from: today.adding(days: 1 - days).text,
            through: today.text,
            by: by.map(\.key),
            members: list(invocation.value("--member")),
            groups: try list(invocation.value("--group"))?.map(group)
        )
        let reply = try await HouseholdCommand.with(.household, isWanted: false, invocation) {
            try await $0.call(HouseholdSums.self, request)
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            lines(reply, by, days, invocation.terminal)
        }
    }

    static func list(_ text: String?) -> [String]? {
        text.map { $0.split(separator: ",").map(String.init) }
    }

    static func group(_ name: String) throws(Problem) -> HouseholdSums.Group {
        guard let members = AccountGroup.members(of: name) else {
            throw Problem(
                "household.unknown_group",
                "This computer knows no group \(TextFormat.fitting(name, bytes: 80)). `getent group` lists those that it knows."
            )
        }
        return HouseholdSums.Group(name: name, members: members)
    }

    private static func by(_ text: String) throws(Problem) -> [(
        word: String, key: HouseholdSumKey, title: (String, String)
    )] {
        let wanted = text.split(separator: ",").map(String.init)
        if let unknown = wanted.first(where: { word in !keys.contains { $0.word == word } }) {
            let near =
                TextFormat.closest(to: unknown, in: keys.map(\.word)).map { " Did you mean \($0)?" } ?? ""
            throw Problem(
                "usage.bad_value",
                "--by takes \(words), separated by commas, and not \(TextFormat.fitting(unknown, bytes: 40)).\(near)"
            )
        }
        // As a table reads best, not as they were typed.
        return keys.filter { wanted.contains($0.word) }
    }

    private static func days(_ text: String) throws(Problem) -> Int {
        guard let days = Int(text), (1...HouseholdSums.daysMax).contains(days) else {
            throw Problem("usage.bad_value", "--days is a number of days from 1 to \(HouseholdSums.daysMax).")
        }
        return days
    }

    private static func lines(
        _ reply: HouseholdSums.Reply,
        _ by: [(word: String, key: HouseholdSumKey, title: (String, String))],
        _ days: Int,
        _ terminal: Terminal
    ) -> [String] {
        guard !reply.sums.isEmpty else {
            return [
                Speech.say(
                    "Nothing was used in this time, as far as the household has heard.",
                    "이 동안 쓴 것이 없습니다. 집이 들은 바로는 그렇습니다."
                )
            ]
        }
        var table = TextTable(
            by.map { (Speech.say($0.title.0, $0.title.1), .left) } + [(Speech.say("TIME", "시간"), .right)]
        )
        // As time went, and the longest first within it.
        let sums = reply.sums.sorted {
            ($0.day ?? "", $0.hour ?? 0, $1.ms) < ($1.day ?? "", $1.hour ?? 0, $0.ms)
        }
        for sum in sums {
            table.add(by.map { .init(text(sum, $0.key)) } + [.init(Speech.duration(ms: sum.ms))])
        }
        let title =
            days == 1
            ? Speech.say("Today, on all machines of the household:", "오늘, 집의 모든 컴퓨터에서:")
            : Speech.say(
                "The last \(days) days, on all machines of the household:",
                "지난 \(days)일, 집의 모든 컴퓨터에서:"
            )
        let cut =
            reply.isCut
            ? [
                "",
                Speech.say(
                    "There is more; fewer days, or --member, show it.",
                    "더 있습니다. 날을 줄이거나 --member를 쓰면 보입니다."
                ),
            ] : []
        return [title, ""] + table.lines(columns: terminal.columns, terminal) + cut
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

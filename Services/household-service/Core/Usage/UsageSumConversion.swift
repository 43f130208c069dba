import STContracts
import STPlatform

/// Replies to requests for sums of the household's usage.
enum UsageSumConversion {
    private static let namesMax = 25_000

    static func query(_ request: HouseholdSums.Request) throws -> UsageSumQuery {
        guard let from = CivilDate(text: request.from), let through = CivilDate(text: request.through),
            (0..<HouseholdSums.daysMax).contains(through.daysSinceEpoch - from.daysSinceEpoch)
        else {
            throw Problem(
                "household.bad_days",
                "The days must be two dates in order, such as 2026-11-01, and at most ten years apart.",
                field: "/from"
            )
        }
        let by = Set(request.by)
        guard !by.isEmpty, by.count == request.by.count, !by.contains(.unknown) else {
            let list = HouseholdSumKey.known.joined(separator: ", ")
            throw Problem(
                "household.bad_sum",
                "Sums can be calculated by \(list, "known"), each at most once.",
                field: "/by"
            )
        }
        let groups = request.groups ?? []
        let names = (request.members?.count ?? 0) + groups.reduce(groups.count) { $0 + $1.members.count }
        guard names <= namesMax else {
            throw Problem(
                "household.too_many_names",
                "A request for sums can have at most \(namesMax, "most") names.",
                field: "/members"
            )
        }
        guard by.contains(.group) == !groups.isEmpty else {
            throw Problem(
                "household.bad_groups",
                "A request for sums by group must include `groups`. Other requests must not include them.",
                field: "/groups"
            )
        }
        let first = Int64(from.daysSinceEpoch)
        return UsageSumQuery(
            days: first..<Int64(through.daysSinceEpoch) + 1,
            members: request.members,
            // A member who is twice in a group counts once.
            groups: Dictionary(groups.map { ($0.name, Set($0.members)) }) { $0.union($1) }.sorted {
                $0.key < $1.key
            }
            .map { ($0.key, $0.value) },
            by: by
        )
    }

    static func sum(_ row: UsageSumRow) -> HouseholdSums.Sum {
        var sum = HouseholdSums.Sum(ms: row.ms)
        sum.member = row.keys[.member]
        sum.device = row.keys[.device]
        sum.day = row.keys[.day].flatMap { Int($0) }.map { CivilDate(daysSinceEpoch: $0).text }
        sum.hour = row.keys[.hour].flatMap { Int64($0) }
        sum.app = row.keys[.app]
        sum.site = row.keys[.site]
        sum.category = row.keys[.category]
        sum.group = row.keys[.group]
        return sum
    }
}

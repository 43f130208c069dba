package import STContracts
package import STDomain
package import STPlatform

/// What a hook hears of: a request that waits for a guardian, a record that was changed, new keys, or how long people used their
/// computers in a week.
package struct HookWord: WireBody, Codable, Equatable {
    package struct Week: WireBody, Codable, Equatable {
        package var member: String
        package var ms: Int64
        package var beforeMs: Int64
    }

    /// `request`, `record`, `key` or `week`.
    package var what: String
    /// Names it: a hook that is called again after a failure can leave it out.
    package var key: String
    /// A sentence for people.
    package var text: String
    package var member: String?
    package var machine: String?
    package var minutes: Int64?
    package var things: [String]?
    package var because: String?
    package var people: [Week]?
}

/// What goes out of the house by a program that a person has set. No app and no site is named unless the settings say so.
package enum Hooks {
    /// Of the morning after the week.
    private static let hour: Int64 = 8
    /// The time for which the keys of sent messages are stored.
    static let keptMs: Int64 = 15 * 86_400_000

    /// The next message for the hook.
    package enum Next: Sendable {
        case word(HookWord)
        /// The summary of the week that begins on this day.
        case week(first: CivilDate, key: String)
    }

    package static func next(
        _ state: HouseholdState,
        wallMs: Int64,
        names: Bool,
        _ rules: ZoneRules
    ) -> Next? {
        if let word = (requests(state, nowMs: wallMs, names: names) + alarms(state, nowMs: wallMs)).first {
            return .word(word)
        }
        let hour = rules.localMs(atMs: wallMs) / 3_600_000 % 24
        return week(state, day: rules.day(atMs: wallMs), hour: hour).map {
            .week(first: $0.first, key: $0.key)
        }
    }

    /// The request for the usage of the week that begins on a day.
    package static func usage(ofWeek first: CivilDate) -> HouseholdSums.Request {
        HouseholdSums.Request(from: first.text, through: first.adding(days: 6).text, by: [.member])
    }

    /// Requests that wait for a guardian, and have not been told.
    package static func requests(_ state: HouseholdState, nowMs: Int64, names: Bool) -> [HookWord] {
        let open = state.present.flatMap(\.requests.open)
        let waiting = open.filter { $0.request.state == .waiting && $0.untilMs > nowMs }.map(\.request)
        return waiting.filter { state.told[$0.key ?? ""] == nil }
            .sorted { ($0.askedMs, $0.key ?? "") < ($1.askedMs, $1.key ?? "") }
            .map { request in
                let time = TextFormat.duration(ms: request.durationMs)
                let things = request.items.map(\.id)
                let of =
                    names ? " of \(things.isEmpty ? "everything" : things.joined(separator: ", "))" : " more"
                let because = names ? request.because.map { ": “\($0)”" } ?? "" : ""
                return HookWord(
                    what: "request",
                    key: request.key ?? "",
                    text:
                        "\(request.member) asks for \(time)\(of) on \(request.device ?? "a computer")\(because).",
                    member: request.member,
                    machine: request.device,
                    minutes: request.durationMs / 60_000,
                    things: names ? things : nil,
                    because: names ? request.because : nil
                )
            }
    }

    /// What lately happened to machines that a person should know: a past was changed, or a machine has new keys.
    package static func alarms(_ state: HouseholdState, nowMs: Int64) -> [HookWord] {
        state.present.flatMap { device in
            func word(_ what: String, _ about: String, _ atMs: Int64, _ text: String) -> HookWord? {
                let key = "\(what)/\(device.id)/\(about)/\(atMs)"
                guard state.told[key] == nil, nowMs - atMs < keptMs else { return nil }
                return HookWord(what: what, key: key, text: text, machine: device.name)
            }
            let renewed = device.renewedMs.flatMap {
                word(
                    "key",
                    "new",
                    $0,
                    "\(device.name) has new keys. If no person made them, remove the machine from the household and let it join again."
                )
            }
            return device.witness.breaks.compactMap { found in
                word(
                    "record",
                    found.record.rawValue,
                    RFC3339.wallMs(found.foundAt) ?? 0,
                    "The \(found.record == .usage ? "usage record" : "history") of \(device.name) differs from the one that the household knew: rows were changed or removed."
                )
            } + [renewed].compactMap(\.self)
        }
    }

    /// The week that has ended, from its first day to the last, where it has not been told; nil: not now.
    package static func week(_ state: HouseholdState, day: CivilDate, hour: Int64) -> (
        first: CivilDate, key: String
    )? {
        let monday = day.adding(days: -(day.weekday + 5) % 7)
        let key = "week/\(monday.text)"
        guard !state.present.isEmpty, state.told[key] == nil, day != monday || hour >= Self.hour else {
            return nil
        }
        return (monday.adding(days: -7), key)
    }

    package static func summary(
        _ key: String,
        from first: CivilDate,
        used: [HouseholdSums.Sum],
        before: [HouseholdSums.Sum]
    ) -> HookWord {
        func ms(_ sums: [HouseholdSums.Sum], _ member: String) -> Int64 {
            sums.filter { $0.member == member }.reduce(0) { $0 + $1.ms }
        }
        let people = Set((used + before).compactMap(\.member)).sorted().map { member in
            HookWord.Week(member: member, ms: ms(used, member), beforeMs: ms(before, member))
        }
        let lines = people.map { one in
            let more = one.ms - one.beforeMs
            let change =
                more == 0
                ? "as the week before"
                : "\(TextFormat.duration(ms: abs(more))) \(more > 0 ? "more" : "less") than the week before"
            return "\(one.member): \(TextFormat.duration(ms: one.ms)), \(change)."
        }
        let title = "Screen Time from \(first.text), for a week."
        return HookWord(
            what: "week",
            key: key,
            text: ([title] + (lines.isEmpty ? ["Nothing was used."] : lines)).joined(separator: "\n"),
            people: people
        )
    }
}

package import STContracts
package import STDomain
package import STPlatform

/// A message for the hook: a request that waits for a guardian, a changed record, new keys, or the usage of a week.
package struct HookEvent: WireBody, Codable, Equatable {
    package struct Week: WireBody, Codable, Equatable {
        package var member: String
        package var ms: Int64
        package var beforeMs: Int64
    }

    /// `request`, `record`, `key` or `week`.
    package var what: String
    /// Identifies the message. A program that is called again after a failure can skip it.
    package var key: String
    /// A sentence for people, in the language of household-service.
    package var text: String
    package var member: String?
    package var machine: String?
    package var minutes: Int64?
    package var things: [String]?
    package var because: String?
    package var people: [Week]?
}

/// The messages to a program that a person has set. They name no app and no site unless the settings allow it.
package enum Hooks {
    /// The hour at which the summary is sent, on the morning after the week.
    private static let hour: Int64 = 8
    /// The time for which the keys of sent messages are stored.
    static let retention = UsageRow.day * 15

    /// The next message for the hook.
    package enum Next: Sendable {
        case event(HookEvent)
        /// The summary of the week that begins on this day.
        case week(first: CivilDate, key: String)
    }

    package static func next(
        _ state: HouseholdState,
        at now: WallTime,
        names: Bool,
        _ rules: ZoneRules,
        in language: DisplayLanguage = .english
    ) -> Next? {
        let words =
            requests(state, at: now, names: names, in: language)
            + alarms(state, at: now, in: language)
        if let word = words.first { return .event(word) }
        let hour = rules.localMs(atMs: now.ms) / 3_600_000 % 24
        return week(state, day: rules.day(atMs: now.ms), hour: hour).map {
            .week(first: $0.first, key: $0.key)
        }
    }

    /// The request for the usage of the week that begins on a day.
    package static func usage(ofWeek first: CivilDate) -> HouseholdSums.Request {
        HouseholdSums.Request(from: first.text, through: first.adding(days: 6).text, by: [.member])
    }

    /// Returns the requests that wait for a guardian and of which the hook has no message yet.
    package static func requests(
        _ state: HouseholdState,
        at now: WallTime,
        names: Bool,
        in language: DisplayLanguage = .english
    ) -> [HookEvent] {
        let open = state.activeDevices.flatMap(\.requests.open)
        let waiting = open.filter { $0.request.state == .waiting && $0.untilMs > now.ms }.map(\.request)
        let new = waiting.filter { state.hookDeliveries[$0.key ?? ""] == nil }
            .sorted { ($0.askedMs, $0.key ?? "") < ($1.askedMs, $1.key ?? "") }
        return new.map { request in
            HookEvent(
                what: "request",
                key: request.key ?? "",
                text: text(request, names: names, language),
                member: request.member,
                machine: request.device,
                minutes: request.durationMs / 60_000,
                things: names ? request.items.map(\.id) : nil,
                because: names ? request.because : nil
            )
        }
    }

    private static func text(_ request: HouseholdRequest, names: Bool, _ language: DisplayLanguage) -> String
    {
        let (member, time) = (request.member, MessageValue.duration(ms: request.durationMs))
        let machine = request.device ?? language.text("hook.a-computer", "a computer")
        guard names else {
            return language.text(
                "hook.asks-for-more",
                "\(member, "member") asks for \(time, "time") more on \(machine, "machine")."
            )
        }
        let ids = request.items.map(\.id).joined(separator: ", ")
        let things = ids.isEmpty ? language.text("hook.everything", "everything") : ids
        guard let because = request.because else {
            return language.text(
                "hook.asks-for-things",
                "\(member, "member") asks for \(time, "time") of \(things, "things") on \(machine, "machine")."
            )
        }
        return language.text(
            "hook.asks-for-things-because",
            """
            \(member, "member") asks for \(time, "time") of \(things, "things") on \(machine, "machine"): \
            “\(because, "because")”.
            """
        )
    }

    /// Returns recent events of machines for a person's attention: a record was changed, or a machine has new keys.
    package static func alarms(
        _ state: HouseholdState,
        at now: WallTime,
        in language: DisplayLanguage = .english
    ) -> [HookEvent] {
        state.activeDevices.flatMap { device in
            func event(_ what: String, about: String, at moment: WallTime, text: String) -> HookEvent? {
                let key = "\(what)/\(device.id)/\(about)/\(moment.ms)"
                guard state.hookDeliveries[key] == nil, now - moment < retention else { return nil }
                return HookEvent(what: what, key: key, text: text, machine: device.name)
            }
            let renewed = device.renewedAt.flatMap {
                event("key", about: "new", at: $0, text: newKeys(of: device.name, language))
            }
            return device.auditor.breaks.compactMap { found in
                event(
                    "record",
                    about: found.record.rawValue,
                    at: WallTime(ms: RFC3339.wallMs(found.foundAt) ?? 0),
                    text: difference(of: device.name, isUsage: found.record == .usage, language)
                )
            } + [renewed].compactMap(\.self)
        }
    }

    private static func newKeys(of machine: String, _ language: DisplayLanguage) -> String {
        language.text(
            "hook.has-new-keys",
            """
            \(machine, "machine") has new keys. If nobody created them on purpose, remove the machine from \
            the household and let it join again.
            """
        )
    }

    private static func difference(of machine: String, isUsage: Bool, _ language: DisplayLanguage) -> String {
        isUsage
            ? language.text(
                "hook.usage-records-differ",
                """
                The usage records of \(machine, "machine") differ from those that the household knows. Rows \
                were changed or removed.
                """
            )
            : language.text(
                "hook.history-differs",
                """
                The history of \(machine, "machine") differs from the one that the household knows. Rows were \
                changed or removed.
                """
            )
    }

    /// Returns the first day and the key of the week that has ended, if its summary is due.
    package static func week(_ state: HouseholdState, day: CivilDate, hour: Int64) -> (
        first: CivilDate, key: String
    )? {
        let monday = day.adding(days: -(day.weekday + 5) % 7)
        let key = "week/\(monday.text)"
        guard !state.activeDevices.isEmpty, state.hookDeliveries[key] == nil,
            day != monday || hour >= Self.hour
        else {
            return nil
        }
        return (monday.adding(days: -7), key)
    }

    package static func summary(
        _ key: String,
        from first: CivilDate,
        used: [HouseholdSums.Sum],
        before: [HouseholdSums.Sum],
        in language: DisplayLanguage = .english
    ) -> HookEvent {
        func ms(_ sums: [HouseholdSums.Sum], _ member: String) -> Int64 {
            sums.filter { $0.member == member }.reduce(0) { $0 + $1.ms }
        }
        let people = Set((used + before).compactMap(\.member)).sorted().map { member in
            HookEvent.Week(member: member, ms: ms(used, member), beforeMs: ms(before, member))
        }
        let title = language.text(
            "hook.week-title",
            "Screen Time in the week from \(first.text, "day"):"
        )
        let lines =
            people.isEmpty
            ? [language.text("hook.week-without-usage", "No usage was recorded.")]
            : people.map { line($0, language) }
        return HookEvent(
            what: "week",
            key: key,
            text: ([title] + lines).joined(separator: "\n"),
            people: people
        )
    }

    private static func line(_ one: HookEvent.Week, _ language: DisplayLanguage) -> String {
        let time = MessageValue.duration(ms: one.ms)
        let change = MessageValue.duration(ms: abs(one.ms - one.beforeMs))
        if one.ms == one.beforeMs {
            return language.text(
                "hook.week-same",
                "\(one.member, "member"): \(time, "time"), the same as in the week before."
            )
        }
        return one.ms > one.beforeMs
            ? language.text(
                "hook.week-more",
                "\(one.member, "member"): \(time, "time"), \(change, "change") more than in the week before."
            )
            : language.text(
                "hook.week-less",
                "\(one.member, "member"): \(time, "time"), \(change, "change") less than in the week before."
            )
    }
}

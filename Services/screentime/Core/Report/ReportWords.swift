import STContracts
package import STPlatform

/// The sentences of the built-in reports.
struct ReportWords: Sendable {
    let language: WordLanguage

    init(_ language: WordLanguage) { self.language = language }

    private var dates: ReportDates { ReportDates(language) }

    func pick(_ english: String, _ korean: String) -> String { language.pick(english, korean) }

    // MARK: - Titles

    func title(_ scene: BuiltInScene, _ key: ReportKey, _ kinds: String, days: Int) -> String {
        switch scene {
        case .total: pick("Screen time by \(noun(key))", "\(kinds)별 스크린 타임")
        case .categories: pick("Screen time by category", "카테고리별 스크린 타임")
        case .apps: pick("Screen time by app", "앱별 스크린 타임")
        case .hours: pick("Screen time by hour", "시간별 스크린 타임")
        case .days: pick("Screen time by day", "일별 스크린 타임")
        case .weeks: pick("Screen time by week", "주별 스크린 타임")
        case .timeline: pick("The course of the day", "하루의 흐름")
        case .pickups: pick("Pickups and notifications", "화면 깨우기와 알림")
        case .compare: compared(days)
        case .household: pick("The household", "우리 집")
        }
    }

    private func compared(_ days: Int) -> String {
        switch days {
        case 1: pick("Day against day", "전날과 비교")
        case 7: pick("Week against week", "지난주와 비교")
        default: pick("\(days) days against the \(days) before", "그 전 \(days)일과 비교")
        }
    }

    private func noun(_ key: ReportKey) -> String {
        switch key {
        case .member: "person"
        case .unknown: "app"
        default: key.rawValue
        }
    }

    var everyone: String { pick("All people", "모두") }

    // MARK: - What is said of all reports

    func blind(_ desktop: Result<DesktopStatus.Reply, Problem>?) -> String? {
        let reason: String
        switch desktop {
        case nil: return nil
        case .success(let status) where status.isBlind != true && status.source != "none": return nil
        case .success(let status):
            reason = [status.reason, status.wayOut ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        case .failure(let problem): reason = problem.message
        }
        let why = reason.isEmpty ? "" : " (\(DisplayWidth.harmless(reason)))"
        return pick(
            "This session cannot be seen at the moment: nothing new is counted\(why).",
            "지금은 이 세션을 볼 수 없어서 새로 집계되는 것이 없습니다\(why)."
        )
    }

    var lost: String {
        pick(
            "Records are missing, so this may show less than was used. What is missing: screentime history",
            "기록의 일부가 사라져서 실제보다 적게 보일 수 있습니다. 무엇이 사라졌는지 보기: screentime history"
        )
    }

    var quarantined: String {
        pick(
            "The record of use is damaged: what is used now is not written down. What to do: screentime status",
            "사용 기록이 손상되어 지금의 사용이 기록되지 않습니다. 해결 방법: screentime status"
        )
    }

    var demo: String { pick("DEMO: not your own data", "데모: 내 사용 기록이 아닙니다") }

    var nothing: String { pick("No use was seen.", "사용한 기록이 없습니다.") }

    var blindSpots: String {
        pick(
            "Not included: devices whose use was not imported, other accounts, and time in which nothing was watched.",
            "가져오지 않은 다른 기기, 다른 계정, 그리고 아무것도 지켜보지 않은 시간은 여기에 보이지 않습니다."
        )
    }

    func absent(_ ms: Int64) -> String {
        pick(
            "The computer was left alone for \(dates.duration(ms)).",
            "\(dates.duration(ms)) 동안은 컴퓨터 앞에 아무도 없었습니다."
        )
    }

    /// Always said, also when there was none; but while the screen cannot be seen, it does not claim that nothing is missed.
    func unseen(_ unobservedMs: Int64, shieldedMs: Int64, isBlind: Bool = false) -> [String] {
        if isBlind {
            let told = unseen(max(1, unobservedMs), shieldedMs: shieldedMs)
            guard unobservedMs == 0 else { return told }
            let sentence = pick("What happens now is not seen.", "지금 지나가는 시간은 보지 못합니다.")
            return [sentence] + told.dropFirst()
        }
        let (unseen, shielded) = (dates.duration(unobservedMs), dates.duration(shieldedMs))
        if unobservedMs == 0, shieldedMs == 0 {
            return [
                pick(
                    "All time was seen, and none was spent in front of shields.",
                    "보지 못한 시간도, 차단 화면 앞에서 보낸 시간도 없습니다."
                )
            ]
        }
        return [
            unobservedMs == 0
                ? pick("All time was seen.", "보지 못한 시간은 없습니다.")
                : pick(
                    "Not seen: \(unseen). That is counted neither as use nor as absence.",
                    "보지 못한 시간: \(unseen). 사용으로도 자리 비움으로도 세지 않았습니다."
                ),
            shieldedMs == 0
                ? pick("No time was spent in front of shields.", "차단 화면 앞에서 보낸 시간은 없습니다.")
                : pick(
                    "In front of shields: \(shielded). That is not counted as use.",
                    "차단 화면 앞에서 보낸 시간: \(shielded). 사용으로 세지 않았습니다."
                ),
        ]
    }

    func since(_ moment: String?) -> String {
        guard let moment else {
            return pick(
                "Nothing has been watched on this computer yet.",
                "이 컴퓨터에서는 아직 아무것도 지켜본 적이 없습니다."
            )
        }
        return pick("Watched since \(moment).", "\(moment)부터 지켜보고 있습니다.")
    }

    func known(_ time: String, isOpen: Bool) -> String {
        isOpen
            ? pick(
                "Counted up to \(time), what is in front now included.",
                "\(time)까지, 지금 앞에 있는 것도 포함해서 집계했습니다."
            )
            : pick("Counted up to \(time).", "\(time)까지 집계했습니다.")
    }

    func more(_ count: Int, _ ms: Int64) -> String {
        pick("\(count) more with \(dates.duration(ms))", "그 밖에 \(count)개, \(dates.duration(ms))")
    }

    func rest(_ count: Int) -> String { pick("\(count) more", "그 밖에 \(count)개") }

    var others: String { pick("Others", "그 밖") }

    var time: String { pick("Time", "시간") }

    func pickups(_ count: Int64) -> String {
        pick(count == 1 ? "1 pickup" : "\(count) pickups", "깨우기 \(count)회")
    }

    func notifications(_ count: Int64) -> String {
        pick(count == 1 ? "1 notification" : "\(count) notifications", "알림 \(count)개")
    }

    // MARK: - Comparison

    /// `1 h 5 min more than`, with what it is compared with behind or before it.
    func difference(_ ms: Int64, than other: String) -> String {
        let size = dates.duration(Int64(clamping: ms.magnitude))
        if ms.magnitude < 60_000 { return pick("as much as \(other)", "\(other)과 같습니다") }
        return ms > 0
            ? pick("\(size) more than \(other)", "\(other)보다 \(size) 많습니다")
            : pick("\(size) less than \(other)", "\(other)보다 \(size) 적습니다")
    }

    /// `+12%`; nil where there was nothing before.
    func percent(_ now: Int64, _ before: Int64) -> String? {
        guard before > 0 else { return nil }
        let percent = Int((Double(now - before) / Double(before) * 100).rounded())
        if percent > 999 { return nil }
        return percent == 0 ? "±0%" : percent > 0 ? "+\(percent)%" : "−\(-percent)%"
    }
}

/// Dates and durations as a language writes them.
package struct ReportDates: Sendable {
    package let language: WordLanguage

    package init(_ language: WordLanguage) { self.language = language }

    /// `2 h 5 min`, `2시간 5분`.
    package func duration(_ ms: Int64) -> String {
        TextFormat.duration(ms: max(0, ms) / 1000 * 1000, in: language, inHours: true)
    }

    /// `Friday, 20 November 2026`, `2026년 11월 20일 금요일`.
    package func long(_ day: CivilDate) -> String {
        language.pick(
            "\(wholeWeekday(day)), \(date(day))",
            "\(date(day)) \(wholeWeekday(day))"
        )
    }

    /// `20 November 2026`, `2026년 11월 20일`.
    package func date(_ day: CivilDate) -> String {
        language.pick("\(dayAndMonth(day)) \(day.year)", "\(day.year)년 \(dayAndMonth(day))")
    }

    /// `20 November`, `11월 20일`.
    private func dayAndMonth(_ day: CivilDate) -> String {
        let month = CalendarNames.month(day.month, in: language)
        return language.pick("\(day.day) \(month)", "\(month) \(day.day)일")
    }

    /// `20 Nov`, `11월 20일`.
    package func short(_ day: CivilDate) -> String {
        language.pick("\(day.day) \(CalendarNames.shortMonth(day.month))", dayAndMonth(day))
    }

    /// `Fri`, `금`.
    package func weekday(_ day: CivilDate) -> String {
        CalendarNames.shortDay(day.weekday, in: language)
    }

    /// `Friday`, `금요일`.
    package func wholeWeekday(_ day: CivilDate) -> String {
        CalendarNames.day(day.weekday, in: language)
    }

    /// `Fri 20`, `20일 금`: what stands below a bar.
    package func tick(_ day: CivilDate) -> String {
        language.pick("\(weekday(day)) \(day.day)", "\(day.day)일 \(weekday(day))")
    }

    /// `14 – 20 November 2026`, `2026년 11월 14일 – 20일`.
    package func range(_ first: CivilDate, _ last: CivilDate) -> String {
        if first == last { return long(first) }
        guard first.year == last.year else { return "\(date(first)) – \(date(last))" }
        if first.month == last.month {
            return language.pick("\(first.day) – \(date(last))", "\(date(first)) – \(last.day)일")
        }
        return language.pick(
            "\(dayAndMonth(first)) – \(date(last))",
            "\(date(first)) – \(dayAndMonth(last))"
        )
    }

    /// `14 – 20 Nov`, `11월 14일 – 20일`.
    package func shortRange(_ first: CivilDate, _ last: CivilDate) -> String {
        guard first != last else { return short(first) }
        if first.month == last.month, first.year == last.year {
            return language.pick("\(first.day) – \(short(last))", "\(short(first)) – \(last.day)일")
        }
        return "\(short(first)) – \(short(last))"
    }
}

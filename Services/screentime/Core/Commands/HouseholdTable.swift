import STContracts
import STPlatform

/// Formats the machines of a household as a table for `household show`.
enum HouseholdTable {
    static func lines(_ devices: [HouseholdDevice], _ terminal: Terminal) -> [String] {
        guard !devices.isEmpty else { return [] }
        let titles = [("MACHINE", "컴퓨터"), ("PEOPLE", "사람"), ("HEARD", "소식"), ("NOTE", "참고")]
        var table = TextTable(titles.map { (Speech.say($0.0, $0.1), .left) })
        for device in devices {
            let seen = device.seenAt.map { TimeText.text(wire: $0) } ?? Speech.say("not yet", "아직")
            table.add([
                .init(DisplayWidth.harmless(device.name)),
                .init(device.accounts.map { DisplayWidth.harmless($0.member) }.joined(separator: ", ")),
                .init(device.isConnected ? Speech.say("connected", "연결됨") : seen),
                .init(
                    [
                        device.phoneOf.map { phone(of: $0) }, device.lessons.map(HouseholdPhones.hours),
                        device.renewedAt.map(renewed), device.backAt.map(back), guardians(device),
                        device.clockOffMs.map { clock($0) }, device.breaks?.last.map(broken),
                        device.leftAt.map(left),
                    ].compactMap(\.self).joined(
                        separator: "; "
                    )
                ),
            ])
        }
        return table.lines(columns: terminal.columns, terminal)
    }

    private static func phone(of guardian: String) -> String {
        let name = DisplayWidth.harmless(guardian)
        return Speech.say("phone of \(name)", "\(name) 님의 휴대폰")
    }

    private static func guardians(_ device: HouseholdDevice) -> String? {
        device.guardians.map {
            let names = DisplayWidth.harmless($0.joined(separator: ", "))
            return device.isTrusted == true
                ? Speech.say("looked after by \(names)", "보호자: \(names)")
                : Speech.say("guardians \(names), not trusted", "보호자: \(names), 신뢰 안 함")
        }
    }

    private static func renewed(_ at: String) -> String {
        let when = TimeText.text(wire: at)
        return Speech.say("new keys since \(when)", "\(when)부터 새 열쇠")
    }

    private static func back(_ at: String) -> String {
        let when = TimeText.text(wire: at)
        return Speech.say("came back empty at \(when)", "\(when)에 기록 없이 돌아옴")
    }

    private static func left(_ at: String) -> String {
        let when = TimeText.text(wire: at)
        return Speech.say("left the household at \(when)", "\(when)에 집에서 나감")
    }

    private static func broken(_ found: RecordBreak) -> String {
        let (noted, seen) = (TimeText.text(wire: found.notedAt), TimeText.text(wire: found.foundAt))
        if let missing = found.missing {
            return Speech.say(
                "\(missing) earlier intervals are missing from its record of use (seen \(seen))",
                "사용 기록에서 앞의 \(missing)건이 사라졌음(\(seen)에 발견)"
            )
        }
        return found.record == .usage
            ? Speech.say(
                "its record of use from before \(noted) was changed (seen \(seen))",
                "\(noted) 이전의 사용 기록이 바뀌었음(\(seen)에 발견)"
            )
            : Speech.say(
                "its history from before \(noted) was changed (seen \(seen))",
                "\(noted) 이전의 이력이 바뀌었음(\(seen)에 발견)"
            )
    }

    private static func clock(_ offMs: Int64) -> String {
        let length = Speech.duration(ms: abs(offMs))
        return offMs > 0
            ? Speech.say("its clock is \(length) slow", "시계가 \(length) 늦음")
            : Speech.say("its clock is \(length) fast", "시계가 \(length) 빠름")
    }
}

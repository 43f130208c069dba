import STContracts
import STPlatform

/// Formats the machines and the state of a household for `household show`.
enum HouseholdTable {
    static func lines(_ devices: [HouseholdDevice], _ terminal: Terminal) -> [String] {
        guard !devices.isEmpty else { return [] }
        var table = TextTable([
            (Speech.say("household.title-machine", "MACHINE"), .left),
            (Speech.say("household.title-people", "PEOPLE"), .left),
            (Speech.say("household.title-heard", "LAST CONTACT"), .left),
            (Speech.say("household.title-note", "NOTE"), .left),
        ])
        for device in devices {
            let seen =
                device.seenAt.map { TimeText.text(wire: $0) } ?? Speech.say("household.not-yet", "none yet")
            table.add([
                .init(DisplayWidth.sanitized(device.name)),
                .init(device.accounts.map { DisplayWidth.sanitized($0.member) }.joined(separator: ", ")),
                .init(device.isConnected ? Speech.say("household.connected", "connected") : seen),
                .init(
                    [
                        device.phoneOf.map { phone(of: $0) }, device.lessons.map(HouseholdPhones.hours),
                        device.renewedAt.map(renewed), device.backAt.map(back), guardians(device),
                        device.clockOffMs.map { clock(.milliseconds($0)) },
                        device.breaks?.last.map(recordBreakText),
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
        let name = DisplayWidth.sanitized(guardian)
        return Speech.say("household.phone-of", "phone of \(name, "name")")
    }

    private static func guardians(_ device: HouseholdDevice) -> String? {
        device.guardians.map {
            let names = DisplayWidth.sanitized($0.joined(separator: ", "))
            return device.isTrusted == true
                ? Speech.say("household.looked-after-by", "managed by \(names, "names")")
                : Speech.say("household.guardians-not-trusted", "guardians \(names, "names"), not trusted")
        }
    }

    private static func renewed(_ at: String) -> String {
        let when = TimeText.text(wire: at)
        return Speech.say("household.new-keys-since", "new keys since \(when, "when")")
    }

    private static func back(_ at: String) -> String {
        let when = TimeText.text(wire: at)
        return Speech.say("household.came-back-empty-at", "rejoined without its data at \(when, "when")")
    }

    private static func left(_ at: String) -> String {
        let when = TimeText.text(wire: at)
        return Speech.say("household.left-the-household-at", "left the household at \(when, "when")")
    }

    private static func recordBreakText(_ found: RecordBreak) -> String {
        let (noted, seen) = (TimeText.text(wire: found.notedAt), TimeText.text(wire: found.foundAt))
        if let missing = found.missing {
            return Speech.say(
                "household.earlier-intervals-are-missing",
                """
                earlier intervals missing from its usage record: \(missing, "missing") (detected \
                \(seen, "seen"))
                """
            )
        }
        return found.record == .usage
            ? Speech.say(
                "household.its-record-of-use",
                "its usage record from before \(noted, "noted") was changed (detected \(seen, "seen"))"
            )
            : Speech.say(
                "household.its-history-from-before",
                "its history from before \(noted, "noted") was changed (detected \(seen, "seen"))"
            )
    }

    private static func clock(_ offset: Duration) -> String {
        let length = Speech.duration(offset < .zero ? .zero - offset : offset)
        return offset > .zero
            ? Speech.say("household.its-clock-is-slow", "its clock is \(length, "length") slow")
            : Speech.say("household.its-clock-is-fast", "its clock is \(length, "length") fast")
    }

    static func pendingMachines(_ reply: HouseholdShow.Reply, _ terminal: Terminal) -> [String] {
        guard let address = reply.address else { return [] }
        var lines = [
            Speech.say(
                "household.the-household-meets-here",
                "This machine is the household's hub, at \(address, "address")."
            )
        ]
        if let days = reply.keepDays {
            lines.append(
                Speech.say(
                    "household.what-was-used-is",
                    "The household deletes usage after \(days, "days") days."
                )
            )
        }
        if let rekey = reply.rekey { lines += HouseholdTokens.waiting(rekey) }
        for token in reply.tokens ?? [] {
            let until = TimeText.text(wire: token.until)
            lines.append(
                Speech.say(
                    "household.a-token-lets-in",
                    """
                    A token is valid until \(until, "until"). Machines that can join with it: \
                    \(token.machines, "machines"). Machines that have joined: \(token.joined, "joined").
                    """
                )
            )
        }
        for guest in reply.guests {
            let name = DisplayWidth.sanitized(guest.name)
            let people = guest.accounts.map { DisplayWidth.sanitized("\($0.here)=\($0.member)") }
                .joined(separator: ", ")
            lines.append(
                Speech.say(
                    "household.wants-to-join-with",
                    """
                    \(name, "name") has asked to join, with \(people, "people"). Approve it only if its \
                    screen shows the number \(guest.number, "number").
                    """
                )
            )
            guard let guardians = guest.guardians, !guardians.isEmpty else { continue }
            let names = DisplayWidth.sanitized(guardians.joined(separator: ", "))
            lines.append(
                (guest.isProtected == true
                    ? Speech.say(
                        "household.the-machine-reports-that",
                        """
                        The machine reports that it is a protected computer with these guardians: \
                        \(names, "names"). Approve it only if that is true, because they can then loosen \
                        rules for all machines.
                        """
                    )
                    : Speech.say(
                        "household.guardians-on-that-machine",
                        "Guardians on that machine: \(names, "names")."
                    ))
            )
        }
        let machines = Self.lines(reply.devices, terminal)
        return machines.isEmpty ? lines : lines + [""] + machines
    }

    /// With `isAway`, the text omits that the household is not connected, because a condition describes it.
    static func linkStatus(_ reply: LinkShow.Reply, isAway: Bool = false) -> [String] {
        let address = reply.address ?? ""
        let number = reply.number ?? ""
        var lines: [String] =
            switch reply.state {
            case .alone, .unknown: []
            case .asking:
                [
                    Speech.say(
                        "household.this-machine-has-asked",
                        """
                        This machine has asked to join the household at \(address, "address"). Approve it on \
                        the household's hub with the number \(number, "number").
                        """
                    )
                ]
            case .refused: []
            case .joined where isAway: []
            case .joined:
                [
                    reply.isConnected
                        ? Speech.say(
                            "household.this-machine-belongs-to-the",
                            "This machine belongs to the household at \(address, "address"), and is connected."
                        )
                        : Speech.say(
                            "household.this-machine-belongs-to-the-household",
                            """
                            This machine belongs to the household at \(address, "address"), but is not \
                            connected. It keeps working and sends its usage when it reconnects.
                            """
                        )
                ]
            }
        if let problem = reply.problem, !reply.isConnected, !isAway { lines.append(Speech.say(problem)) }
        for use in reply.elsewhere {
            let thing = DisplayWidth.sanitized(use.domain ?? use.app ?? "")
            lines.append(
                Speech.say(
                    "household.uses-on",
                    """
                    \(DisplayWidth.sanitized(use.member), "member") is using \(thing, "thing") on \
                    \(DisplayWidth.sanitized(use.device), "device").
                    """
                )
            )
        }
        return lines
    }
}

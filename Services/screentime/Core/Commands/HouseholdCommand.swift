import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// `screentime household …`: one household over many machines.
enum HouseholdCommand {
    static let commands: [Command] = [
        Command(
            ["household", "start"],
            "Makes this machine the meeting place of a household of many machines",
            options: [
                .init(
                    "--address",
                    "HOST:PORT",
                    "how other machines reach this one; by default its address and port \(port)"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household start"
        ) { try await start($0) },
        Command(
            ["household", "invite"],
            "Shows a code with which one other machine can join, for ten minutes",
            options: [.json],
            example: "screentime household invite"
        ) { try await invite($0) },
        Command(
            ["household", "join"],
            "Asks the household of a code to let this machine in; limits then count over all its machines",
            subjects: [.init("CODE", "what `household invite` shows on the other machine")],
            options: [
                .init(
                    "--as",
                    "HERE=THERE",
                    "who of this machine is who in the household; several are separated by commas"
                ),
                .init(
                    "--share",
                    "WHAT",
                    "what of each stretch of use leaves this machine: `all`, `apps` without sites, or `time` without names"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household join CODE --as kid=kid"
        ) { try await join($0) },
        Command(
            ["household", "confirm"],
            "Lets the machine in that shows this number",
            subjects: [.init("NUMBER", "six digits, as the other machine shows them")],
            options: [ProofPrompt.option, .json],
            example: "screentime household confirm 123456"
        ) { try await confirm($0) },
        Command(
            ["household", "show"],
            "The machines of the household, and whether this one is connected",
            options: [.init("--what", nil, "lists what leaves this machine"), .json],
            example: "screentime household show"
        ) { try await show($0) },
        HouseholdPhones.phone,
        HouseholdPhones.teacher,
        Command(
            ["household", "token"],
            "Makes a file with which many machines join without a person, such as those of a school",
            subjects: [.init(.file, "where it is written; who has it can let a machine in")],
            options: [
                .init("--machines", "NUMBER", "how many machines it lets in"),
                .init("--days", "NUMBER", "for how many days"),
                .init("--end", nil, "ends all tokens instead; machines that have joined stay"),
                ProofPrompt.option, .json,
            ],
            example: "screentime household token school.token --machines 30 --days 14"
        ) { try await HouseholdTokens.make($0) },
        Command(
            ["household", "enrol"],
            "Joins the household of a token with all people of this machine under their own names; doing it again changes nothing",
            subjects: [.init(.file, "what `household token` wrote")],
            options: [
                .init("--as", "HERE=THERE", "who is who, where names differ; the others are left out"),
                .init(
                    "--passcode",
                    .file,
                    "of a guardian, where children live and no one is there to type it"
                ),
                .init(
                    "--identity",
                    "TEXT",
                    "what stays the same of a machine without a disk, such as its serial number: it comes back as the machine that it was"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household enrol school.token"
        ) { try await HouseholdTokens.enrol($0) },
        HouseholdReport.command,
        HouseholdTrustCommand.command,
        Command(
            ["household", "remove"],
            "Puts a machine out of the household, at once; what it told before stays in reports",
            subjects: [.init("MACHINE", "its name; `household show` lists them")],
            options: [ProofPrompt.option, .json],
            example: "screentime household remove laptop"
        ) { try await remove($0) },
        Command(
            ["household", "renew"],
            "Makes new keys for this machine, such as after a copy of its disk was lost; the old ones are refused then",
            options: [.json],
            example: "screentime household renew"
        ) { try await HouseholdTokens.renew($0) },
        Command(
            ["household", "rekey"],
            "Makes a new key of the household itself, such as after a copy of this machine's disk was lost; its machines hear of it first",
            options: [
                .init(
                    "--now",
                    nil,
                    "takes the key that was made before without waiting for machines that are away: they have to join again"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household rekey"
        ) { try await HouseholdTokens.rekey($0) },
        Command(
            ["household", "leave"],
            "Takes this machine out of its household; what is used elsewhere from now on counts here no more",
            options: [ProofPrompt.option, .json],
            example: "screentime household leave"
        ) { try await leave($0) },
    ]

    private static let port = HouseholdStart.portDefault
    /// A service that a person wants for the first time has to start.
    private static let startMs: Int64 = 15_000

    // MARK: - Here

    private static func start(_ invocation: Invocation) async throws -> ExitCode {
        try requireAdministrator(invocation)
        let address = try invocation.value("--address") ?? "\(ownAddress()):\(port)"
        let prompt = ProofPrompt(invocation)
        let (reply, people) = try await with(.household, invocation) { clients in
            let reply = try await prompt.run { proof in
                try await clients.call(HouseholdStart.self, .init(address: address, proof: proof))
            }
            return (reply, try await clients.call(MemberList.self, Empty()).members)
        }
        let isOpenToChild =
            invocation.directories != .protected && people.contains { $0.role == .child }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            [
                Speech.say(
                    "The household meets on this machine, at \(reply.address). Other machines must reach that address; a firewall must let it through.",
                    "이 컴퓨터의 \(reply.address)에서 집의 컴퓨터들이 만납니다. 다른 컴퓨터가 이 주소에 닿아야 하며, 방화벽이 막지 않아야 합니다."
                ),
                ProblemText.asTyped(
                    Speech.say(
                        "Next: `screentime household invite`, here, for each machine. This one joins as well.",
                        "다음: 컴퓨터마다 여기서 `screentime household invite`를 실행합니다. 이 컴퓨터도 들어갑니다."
                    )
                ),
            ]
                + (isOpenToChild
                    ? [
                        Speech.say(
                            "A child uses this account, and could change the rules of every machine in the household. A protected computer or a guardian's account is a safer meeting place.",
                            "아이가 이 계정을 쓰므로 여기서 모든 컴퓨터의 규칙을 바꿀 수 있습니다. 보호된 컴퓨터나 보호자의 계정에서 만나는 것이 더 안전합니다."
                        )
                    ] : [])
        }
    }

    private static func invite(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await with(.household, isWanted: false, invocation) {
            try await $0.call(HouseholdInvite.self, Empty())
        }
        let terminal = invocation.terminal
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            let picture =
                terminal.isTerminal ? QRPicture.lines(reply.code, isColoured: terminal.isColoured) : nil
            return (picture.map { $0 + [""] } ?? []) + [
                Speech.say("On the other machine, within ten minutes:", "다른 컴퓨터에서 10분 안에:"), "",
                "  screentime household join \(reply.code)", "",
                Speech.say(
                    "It then shows a number. Compare it with the one here: `screentime household show`.",
                    "그러면 숫자가 나옵니다. 여기의 숫자와 견주세요: `screentime household show`."
                ),
            ]
        }
    }

    private static func confirm(_ invocation: Invocation) async throws -> ExitCode {
        let number = invocation.subjects[0]
        let prompt = ProofPrompt(invocation)
        let reply = try await with(.household, isWanted: false, invocation) { clients in
            try await prompt.run { proof in
                try await clients.call(HouseholdConfirm.self, .init(number: number, proof: proof))
            }
        }
        let name = DisplayWidth.harmless(reply.device.name)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            [Speech.say("\(name) belongs to the household now.", "\(name): 이제 집에 속합니다.")]
                + HouseholdTrustCommand.untrusted(reply.device)
        }
    }

    private static func remove(_ invocation: Invocation) async throws -> ExitCode {
        let prompt = ProofPrompt(invocation)
        let reply = try await with(.household, isWanted: false, invocation) { clients in
            try await prompt.run { proof in
                try await clients.call(
                    HouseholdRemove.self,
                    .init(device: invocation.subjects[0], proof: proof)
                )
            }
        }
        let name = DisplayWidth.harmless(reply.name)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            [
                Speech.say(
                    "\(name) is out of the household. What it told before stays in reports.",
                    "\(name): 집에서 뺐습니다. 전에 알린 것은 보고서에 남습니다."
                )
            ]
        }
    }

    // MARK: - On the other machine

    private static func join(_ invocation: Invocation) async throws -> ExitCode {
        let accounts = try accounts(invocation.value("--as"))
        let code = invocation.subjects[0]
        let share = try invocation.value("--share").map { text throws(Problem) in
            guard let share = LinkShare(rawValue: text), share != .unknown else {
                throw Problem(
                    "usage.bad_value",
                    "--share is all, apps or time.",
                    help: "screentime household join CODE --as kid=anna --share apps"
                )
            }
            return share
        }
        let prompt = ProofPrompt(invocation)
        let reply = try await with(.link, invocation) { clients in
            try await prompt.run { proof in
                try await clients.call(
                    LinkJoin.self,
                    .init(code: code, accounts: accounts, share: share, proof: proof)
                )
            }
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            [
                Speech.say("The number is \(reply.number).", "숫자는 \(reply.number)입니다."),
                ProblemText.asTyped(
                    Speech.say(
                        "On the household's machine, see that `screentime household show` has the same, and type `screentime household confirm \(reply.number)`.",
                        "집의 컴퓨터에서 `screentime household show`가 같은 숫자를 보이는지 확인하고 `screentime household confirm \(reply.number)`을 입력하세요."
                    )
                ),
            ]
        }
    }

    static func accounts(_ text: String?) throws(Problem) -> [HouseholdAccount] {
        try (text ?? "").split(separator: ",").map { pair throws(Problem) in
            let names = pair.split(separator: "=", omittingEmptySubsequences: false)
            guard names.count == 2, !names[0].isEmpty, !names[1].isEmpty else {
                throw Problem(
                    "usage.bad_value",
                    "--as says who of this machine is who in the household, such as kid=anna.",
                    help: "screentime household join CODE --as kid=anna"
                )
            }
            return HouseholdAccount(here: String(names[0]), member: String(names[1]))
        }
    }

    private static func leave(_ invocation: Invocation) async throws -> ExitCode {
        let prompt = ProofPrompt(invocation)
        let reply = try await with(.link, isWanted: false, invocation) { clients in
            try await prompt.run { try await clients.call(LinkLeave.self, .init(proof: $0)) }
        }
        let meeting = try? await ServiceClients.with(invocation.directories) { clients in
            clients.isWanted(.household) ? try await clients.call(HouseholdShow.self, Empty()) : nil
        }
        let isMeetingPlace = meeting?.address != nil
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            [
                Speech.say(
                    "This machine belongs to no household now. What is used elsewhere from now on counts here no more.",
                    "이 컴퓨터는 이제 집에 속하지 않습니다. 다른 곳에서 쓴 시간은 여기서 세지 않습니다."
                )
            ]
                + (isMeetingPlace
                    ? [
                        ProblemText.asTyped(
                            Speech.say(
                                "This computer is still the household's meeting place. To close its port, remove the remaining machines and phones: `screentime household remove NAME`.",
                                "이 컴퓨터는 아직 집의 컴퓨터들이 만나는 곳입니다. 포트를 닫으려면 남은 컴퓨터와 휴대폰을 내보냅니다: `screentime household remove NAME`."
                            )
                        )
                    ] : [])
        }
    }

    // MARK: - Both

    private struct Shown: WireBody, Codable {
        var household: HouseholdShow.Reply?
        var link: LinkShow.Reply?
        /// As the household says, where it meets on another machine.
        var machines: [HouseholdDevice]?
    }

    private static func show(_ invocation: Invocation) async throws -> ExitCode {
        try requireAdministrator(invocation)
        if invocation.has("--what") { return try await what(invocation) }
        let shown = try await ServiceClients.with(invocation.directories) { clients in
            var shown = Shown()
            if clients.isWanted(.household) {
                shown.household = try await clients.call(HouseholdShow.self, Empty())
            }
            if clients.isWanted(.link) { shown.link = try await clients.call(LinkShow.self, Empty()) }
            if shown.household?.address == nil, shown.link?.isConnected == true {
                shown.machines = try? await clients.call(LinkMachines.self, Empty()).devices
            }
            return shown
        }
        return try invocation.show(json: try JSONOutput.pretty(of: shown), wraps: true) {
            let parts = [
                shown.household.map { meeting($0, invocation.terminal) }, shown.link.map(own),
                shown.machines.map { HouseholdTable.lines($0, invocation.terminal) },
            ]
            let lines = Array(parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: [""]))
            return lines.isEmpty
                ? [
                    ProblemText.asTyped(
                        Speech.say(
                            "This machine belongs to no household of many machines. `screentime household start` makes one.",
                            "이 컴퓨터는 여러 컴퓨터의 집에 속하지 않습니다. `screentime household start`로 만듭니다."
                        )
                    )
                ] : lines
        }
    }

    private static func what(_ invocation: Invocation) async throws -> ExitCode {
        let share = try await ServiceClients.with(invocation.directories) { clients in
            clients.isWanted(.link) ? try await clients.call(LinkShow.self, Empty()).share : nil
        }
        let less: [String] =
            switch share {
            case .apps:
                [Speech.say("This machine tells no sites.", "이 컴퓨터는 사이트를 알리지 않습니다.")]
            case .time:
                [
                    Speech.say(
                        "This machine tells no apps, no sites and no categories, only how long: elsewhere that counts in limits on everything.",
                        "이 컴퓨터는 앱, 사이트, 분류 없이 시간만 알립니다. 다른 곳에서는 모든 것에 대한 제한에만 셉니다."
                    )
                ]
            case .all, .unknown, nil: []
            }
        invocation.terminal.write(
            wrapping: [
                Speech.say(
                    "To the household's machine go, of the people named when this machine joined: when each app and site was in front, "
                        + "for how long, and its category; when the computer was idle, locked, asleep or unseen; and what is in front now. "
                        + "Also their rules, how long a change that loosens one waits, how their requests are answered, what more time they ask for and are granted, with their reasons, which category an app or a site was moved into and which lists of sites were added, and the last links of its records, which tell nothing but whether its past was changed. "
                        + "No titles of windows, no addresses of pages, no texts, no pictures: those are recorded nowhere.",
                    "집의 컴퓨터로 가는 것: 들어올 때 이름을 댄 사람들이 어떤 앱과 사이트를 언제 얼마나 앞에 두었는지와 그 분류, "
                        + "컴퓨터가 쉬거나 잠기거나 자거나 보이지 않던 때, 지금 앞에 있는 것, 규칙과 규칙을 늦추는 변경이 기다리는 시간, 요청에 답하는 방식, 추가 시간 요청과 승인, 그 까닭, 앱이나 사이트를 옮긴 분류와 더한 사이트 목록, 지난 기록이 바뀌었는지만 알려 주는 기록의 마지막 고리. 창 제목, 페이지 주소, 글, 그림은 어디에도 기록하지 않습니다."
                ),
                Speech.say(
                    "From there come the same of these people's other machines, and the names of those machines: a rule holds on all of them, and so does time that is granted. All of it is encrypted on its way.",
                    "거기서 오는 것: 같은 사람들의 다른 컴퓨터에서 쓴 것과 규칙, 그 컴퓨터의 이름: 규칙과 승인된 시간은 모든 컴퓨터에 적용됩니다. 오가는 동안 모두 암호화됩니다."
                ),
            ] + less
        )
        return .done
    }

    private static func meeting(_ reply: HouseholdShow.Reply, _ terminal: Terminal) -> [String] {
        guard let address = reply.address else { return [] }
        var lines = [Speech.say("The household meets here, at \(address).", "집은 여기 \(address)에서 만납니다.")]
        if let days = reply.keepDays {
            lines.append(
                Speech.say(
                    "What was used is deleted here after \(days) days.",
                    "사용 기록은 \(days)일이 지나면 여기서 지웁니다."
                )
            )
        }
        if let rekey = reply.rekey { lines += HouseholdTokens.waiting(rekey) }
        for token in reply.tokens ?? [] {
            let until = TimeText.text(wire: token.until)
            lines.append(
                Speech.say(
                    "A token lets in \(token.machines) machines until \(until); \(token.joined) have joined.",
                    "토큰 하나가 \(until)까지 컴퓨터 \(token.machines)대를 들입니다. \(token.joined)대가 들어왔습니다."
                )
            )
        }
        for guest in reply.guests {
            let name = DisplayWidth.harmless(guest.name)
            let people = guest.accounts.map { DisplayWidth.harmless("\($0.here)=\($0.member)") }
                .joined(separator: ", ")
            lines.append(
                Speech.say(
                    "\(name) wants to join, with \(people), and should show \(guest.number).",
                    "\(name): 들어오려 합니다(\(people)). 거기 숫자가 \(guest.number)이어야 합니다."
                )
            )
            guard let guardians = guest.guardians, !guardians.isEmpty else { continue }
            let names = DisplayWidth.harmless(guardians.joined(separator: ", "))
            lines.append(
                Speech.say(
                    guest.isProtected == true
                        ? "The machine reports that it is a protected computer with the guardians \(names). After approval, they can loosen rules for all machines. Approve the machine only if that is true."
                        : "Guardians on that machine: \(names).",
                    guest.isProtected == true
                        ? "보호된 컴퓨터이고 보호자가 \(names) 님이라고 합니다. 그러면 거기서 모든 컴퓨터의 규칙을 늦출 수 있습니다. 사실일 때만 들이세요."
                        : "거기 보호자: \(names)."
                )
            )
        }
        let machines = HouseholdTable.lines(reply.devices, terminal)
        return machines.isEmpty ? lines : lines + [""] + machines
    }

    static func own(_ reply: LinkShow.Reply) -> [String] {
        let address = reply.address ?? ""
        var lines: [String] =
            switch reply.state {
            case .alone, .unknown: []
            case .asking:
                [
                    Speech.say(
                        "This machine has asked the household at \(address) to let it in. The number is \(reply.number ?? "").",
                        "이 컴퓨터는 \(address)의 집에 들어가려 합니다. 숫자는 \(reply.number ?? "")입니다."
                    )
                ]
            case .refused: []
            case .joined:
                [
                    reply.isConnected
                        ? Speech.say(
                            "This machine belongs to the household at \(address), and is connected.",
                            "이 컴퓨터는 \(address)의 집에 속하며 연결되어 있습니다."
                        )
                        : Speech.say(
                            "This machine belongs to the household at \(address), and is not connected. Everything goes on, and the household hears later what was used.",
                            "이 컴퓨터는 \(address)의 집에 속하지만 연결되어 있지 않습니다. 모두 그대로 이어지며, 쓴 것은 나중에 알립니다."
                        )
                ]
            }
        if let problem = reply.problem, !reply.isConnected { lines.append(Speech.told(problem.message)) }
        for use in reply.elsewhere {
            let thing = DisplayWidth.harmless(use.domain ?? use.app ?? "")
            lines.append(
                Speech.say(
                    "\(DisplayWidth.harmless(use.member)) uses \(thing) on \(DisplayWidth.harmless(use.device)).",
                    "\(DisplayWidth.harmless(use.member)): \(DisplayWidth.harmless(use.device))에서 \(thing) 사용 중"
                )
            )
        }
        return lines
    }

    // MARK: - Services that do not run on every machine

    /// Has the service started when it is wanted for the first time, and waits until it answers.
    static func with<Reply: Sendable>(
        _ service: ServiceName,
        isWanted: Bool = true,
        _ invocation: Invocation,
        _ body: @escaping @Sendable (ServiceClients) async throws -> Reply
    ) async throws -> Reply {
        try requireAdministrator(invocation)
        return try await ServiceClients.with(invocation.directories) { clients in
            guard isWanted || clients.isWanted(service) else { throw unwanted(service) }
            let mark = invocation.directories.wanted(service: service.rawValue)
            let isNew = isWanted && !clients.isWanted(service)
            if isNew {
                // Without Screen Time there is no service to wait for.
                _ = try await clients.call(HealthPing.self, to: .auth, Empty())
                try SourceTree.build(
                    [service.rawValue],
                    in: SystemPlaces(invocation).binaries,
                    invocation.terminal
                )
                try AtomicFile.write([], to: mark)
            }
            let untilMs = Stopwatch.milliseconds() + (isNew ? startMs : 0)
            while true {
                do {
                    return try await body(clients)
                } catch let problem as Problem
                    where problem.code == "service.not_running" && Stopwatch.milliseconds() < untilMs
                {
                    await clients.loop.thread.pause(ms: 100)
                }
            }
        }
    }

    /// Refuses accounts on a protected computer: their door does not forward requests to the household's services.
    private static func requireAdministrator(_ invocation: Invocation) throws(Problem) {
        guard invocation.directories.run == Directories.run(ofAccount: getuid()) else { return }
        throw Problem(
            "household.needs_root",
            "This computer is protected, so only its administrator can set up the household.",
            help: "sudo screentime household …"
        )
    }

    private static func unwanted(_ service: ServiceName) -> Problem {
        service == .household
            ? Problem(
                "household.not_started",
                "No household was started on this machine.",
                help: "screentime household start"
            )
            : Problem("household.not_joined", "This machine belongs to no household.")
    }

    private static func ownAddress() throws(Problem) -> String {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return HostName.current() }
        defer { freeifaddrs(first) }
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
                entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        throw Problem(
            "household.no_network",
            "This machine has no address that others could reach. Connect it to the network, or name one with --address.",
            help: "screentime household start --address 192.168.1.10:\(port)"
        )
    }
}

import Glibc
import STContracts
import STPlatform
import STZeroMQ

/// `screentime household …`: manages a household of several machines.
enum HouseholdCommand {
    static let commands: [Command] = [
        Command(
            ["household", "start"],
            "Makes this machine the hub of a household of many machines",
            options: [
                .init(
                    "--address",
                    value: "HOST:PORT",
                    summary:
                        "how other machines reach this one; by default its address and port \(port, "port")"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household start"
        ) { try await start($0) },
        Command(
            ["household", "invite"],
            "Shows an invitation code for one machine, valid for ten minutes",
            options: [.json],
            example: "screentime household invite"
        ) { try await invite($0) },
        Command(
            ["household", "join"],
            "Asks to join the household that issued the code; limits then count usage on all its machines",
            subjects: [.init("CODE", "what `household invite` shows on the other machine")],
            options: [
                .init(
                    "--as",
                    value: "HERE=THERE",
                    summary:
                        "which person on this machine is which member of the household; separate several with commas"
                ),
                .init(
                    "--share",
                    value: "WHAT",
                    summary: """
                        data that this machine sends for each usage interval: `all`, `apps` without sites, or \
                        `time` without names
                        """
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household join CODE --as kid=kid"
        ) { try await join($0) },
        Command(
            ["household", "confirm"],
            "Approves the machine that shows this number",
            subjects: [.init("NUMBER", "the six-digit number on the screen of the other machine")],
            options: [ProofPrompt.option, .json],
            example: "screentime household confirm 123456"
        ) { try await confirm($0) },
        Command(
            ["household", "show"],
            "Shows the machines of the household and the connection state of this machine",
            options: [
                .init("--what", value: nil, summary: "lists the data that leaves this machine"), .json,
            ],
            example: "screentime household show"
        ) { try await show($0) },
        HouseholdPhones.phone,
        HouseholdPhones.teacher,
        Command(
            ["household", "token"],
            "Creates a token file that lets many machines, such as those of a school, join unattended",
            subjects: [
                .init(
                    .file,
                    "the file to write; anyone who has it can join a machine to the household",
                    key: "help.arg-file.where-it-is-written-who"
                )
            ],
            options: [
                .init(
                    "--machines",
                    value: "NUMBER",
                    summary: "the number of machines that can join with the token"
                ),
                .init("--days", value: "NUMBER", summary: "the number of days for which the token is valid"),
                .init(
                    "--end",
                    value: nil,
                    summary: """
                        revokes all tokens instead of creating one; machines that have joined stay in the \
                        household
                        """,
                    key: "help.--end.ends-all-tokens-instead-machines"
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household token school.token --machines 30 --days 14"
        ) { try await HouseholdTokens.make($0) },
        Command(
            ["household", "enrol"],
            """
            Uses a token file to join a household with all people of this machine, under their own names; \
            safe to repeat
            """,
            subjects: [
                .init(
                    .file,
                    "the file that `household token` wrote",
                    key: "help.arg-file.what-household-token-wrote"
                )
            ],
            options: [
                .init(
                    "--as",
                    value: "HERE=THERE",
                    summary: """
                        which person here is which member of the household, if names differ; people who are not \
                        named are left out
                        """,
                    key: "help.--as.who-is-who-where-names"
                ),
                .init(
                    "--passcode",
                    place: .file,
                    summary: """
                        a file with a guardian's passcode, for a machine with children where nobody is present \
                        to type it
                        """,
                    key: "help.--passcode.of-a-guardian-where-children"
                ),
                .init(
                    "--identity",
                    value: "TEXT",
                    summary: """
                        a text that identifies a machine without a disk, such as its serial number, so that it \
                        rejoins as the same machine
                        """
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household enrol school.token"
        ) { try await HouseholdTokens.enrol($0) },
        HouseholdReport.command,
        HouseholdTrustCommand.command,
        Command(
            ["household", "remove"],
            "Removes a machine from the household immediately; its past usage stays in reports",
            subjects: [.init("MACHINE", "the machine's name; `household show` lists all machines")],
            options: [ProofPrompt.option, .json],
            example: "screentime household remove laptop"
        ) { try await remove($0) },
        Command(
            ["household", "renew"],
            """
            Makes new keys for this machine, for example after a copy of its disk was lost; the old keys are \
            then rejected
            """,
            options: [.json],
            example: "screentime household renew"
        ) { try await HouseholdTokens.renew($0) },
        Command(
            ["household", "rekey"],
            """
            Makes a new key for the household, for example after a copy of this machine's disk was lost; \
            machines receive it before it takes effect
            """,
            options: [
                .init(
                    "--now",
                    value: nil,
                    summary: """
                        adopts the new key that was already made, without waiting for machines that are away; \
                        those must join again
                        """
                ),
                ProofPrompt.option, .json,
            ],
            example: "screentime household rekey"
        ) { try await HouseholdTokens.rekey($0) },
        Command(
            ["household", "leave"],
            "Removes this machine from its household; new usage on other machines no longer counts here",
            options: [ProofPrompt.option, .json],
            example: "screentime household leave"
        ) { try await leave($0) },
    ]

    private static let port = HouseholdStart.portDefault
    /// Upper bound on the wait for a service that is wanted for the first time and must start.
    private static let startTimeout: Duration = .seconds(15)

    // MARK: - On the hub

    private static func start(_ invocation: Invocation) async throws -> ExitCode {
        try requireAdministrator(invocation)
        let address = try invocation.value("--address") ?? "\(ownAddress()):\(port)"
        let prompt = ProofPrompt(invocation)
        let (reply, people) = try await with(.household, invocation: invocation) { clients in
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
                    "household.the-household-meets-on",
                    """
                    This machine is the household's hub, at \(reply.address, "address"). Other machines must \
                    be able to reach that address, so open the port in any firewall.
                    """
                ),
                ProblemText.asTyped(
                    Speech.say(
                        "household.next-screentime-household-invite",
                        """
                        Next, run `screentime household invite` on this machine for each machine that joins. \
                        This machine must join, too.
                        """
                    )
                ),
            ]
                + (isOpenToChild
                    ? [
                        Speech.say(
                            "household.a-child-uses-this",
                            """
                            A child uses this account, and could change the rules of every machine in the \
                            household. A protected computer or a guardian's account is a safer hub.
                            """
                        )
                    ] : [])
        }
    }

    private static func invite(_ invocation: Invocation) async throws -> ExitCode {
        let reply = try await with(.household, isWanted: false, invocation: invocation) {
            try await $0.call(HouseholdInvite.self, Empty())
        }
        let terminal = invocation.terminal
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            let picture =
                terminal.isTerminal ? QRPicture.lines(reply.code, isColoured: terminal.isColoured) : nil
            return (picture.map { $0 + [""] } ?? []) + [
                Speech.say("household.on-the-other-machine", "On the other machine, within ten minutes:"), "",
                "  screentime household join \(reply.code)", "",
                Speech.say(
                    "household.it-then-shows-a",
                    """
                    The other machine then shows a number. Compare it with the number that `screentime \
                    household show` shows here.
                    """
                ),
            ]
        }
    }

    private static func confirm(_ invocation: Invocation) async throws -> ExitCode {
        let number = invocation.subjects[0]
        let prompt = ProofPrompt(invocation)
        let reply = try await with(.household, isWanted: false, invocation: invocation) { clients in
            try await prompt.run { proof in
                try await clients.call(HouseholdConfirm.self, .init(number: number, proof: proof))
            }
        }
        let name = DisplayWidth.sanitized(reply.device.name)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            [
                Speech.say(
                    "household.belongs-to-the-household",
                    "\(name, "name") now belongs to the household."
                )
            ]
                + HouseholdTrustCommand.untrusted(reply.device)
        }
    }

    private static func remove(_ invocation: Invocation) async throws -> ExitCode {
        let prompt = ProofPrompt(invocation)
        let reply = try await with(.household, isWanted: false, invocation: invocation) { clients in
            try await prompt.run { proof in
                try await clients.call(
                    HouseholdRemove.self,
                    .init(device: invocation.subjects[0], proof: proof)
                )
            }
        }
        let name = DisplayWidth.sanitized(reply.name)
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            [
                Speech.say(
                    "household.is-out-of-the",
                    "\(name, "name") was removed from the household. Its past usage stays in reports."
                )
            ]
        }
    }

    // MARK: - On the other machines

    private static func join(_ invocation: Invocation) async throws -> ExitCode {
        let accounts = try accounts(invocation.value("--as"))
        let code = invocation.subjects[0]
        let share = try invocation.value("--share").map { text throws(Problem) in
            guard let share = LinkShare(rawValue: text), share != .unknown else {
                throw Problem(
                    "usage.bad_value",
                    "--share must be all, apps or time.",
                    key: "usage.bad_value.share-is-all",
                    help: "screentime household join CODE --as kid=anna --share apps"
                )
            }
            return share
        }
        let prompt = ProofPrompt(invocation)
        let reply = try await with(.link, invocation: invocation) { clients in
            try await prompt.run { proof in
                try await clients.call(
                    LinkJoin.self,
                    .init(code: code, accounts: accounts, share: share, proof: proof)
                )
            }
        }
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            [
                Speech.say("household.the-number-is", "The number is \(reply.number, "number")."),
                ProblemText.asTyped(
                    Speech.say(
                        "household.on-the-households-machine",
                        """
                        On the household's hub, check that `screentime household show` shows the same \
                        number. Then type `screentime household confirm \(reply.number, "number")`.
                        """
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
                    "--as needs a person on this machine and that person's name in the household, such as kid=anna.",
                    key: "usage.bad_value.as-says-who",
                    help: "screentime household join CODE --as kid=anna"
                )
            }
            return HouseholdAccount(here: String(names[0]), member: String(names[1]))
        }
    }

    private static func leave(_ invocation: Invocation) async throws -> ExitCode {
        let prompt = ProofPrompt(invocation)
        let reply = try await with(.link, isWanted: false, invocation: invocation) { clients in
            try await prompt.run { try await clients.call(LinkLeave.self, .init(proof: $0)) }
        }
        let hub = try? await ServiceClients.with(invocation.directories) { clients in
            clients.isWanted(.household) ? try await clients.call(HouseholdShow.self, Empty()) : nil
        }
        let isHub = hub?.address != nil
        return try invocation.show(json: try JSONOutput.pretty(of: reply), wraps: true) {
            [
                Speech.say(
                    "household.this-machine-belongs-to",
                    """
                    This machine no longer belongs to a household. New usage on other machines no longer \
                    counts here.
                    """
                )
            ]
                + (isHub
                    ? [
                        ProblemText.asTyped(
                            Speech.say(
                                "household.this-computer-is-still",
                                """
                                This computer is still the household's hub. To close its port, remove the \
                                remaining machines and phones: `screentime household remove NAME`.
                                """
                            )
                        )
                    ] : [])
        }
    }

    // MARK: - On any machine

    private struct Shown: WireBody, Codable {
        var household: HouseholdShow.Reply?
        var link: LinkShow.Reply?
        /// The machines of the household, from the hub if it is another machine.
        var machines: [HouseholdDevice]?
    }

    private static func show(_ invocation: Invocation) async throws -> ExitCode {
        try requireAdministrator(invocation)
        if invocation.has("--what") { return try await shareText(invocation) }
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
                shown.household.map { HouseholdTable.pendingMachines($0, invocation.terminal) },
                shown.link.map { HouseholdTable.linkStatus($0) },
                shown.machines.map { HouseholdTable.lines($0, invocation.terminal) },
            ]
            let lines = Array(parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: [""]))
            return lines.isEmpty
                ? [
                    ProblemText.asTyped(
                        Speech.say(
                            "household.this-machine-belongs-to-no",
                            """
                            This machine does not belong to a household of several machines. To start one, \
                            run `screentime household start`.
                            """
                        )
                    )
                ] : lines
        }
    }

    private static func shareText(_ invocation: Invocation) async throws -> ExitCode {
        let share = try await ServiceClients.with(invocation.directories) { clients in
            clients.isWanted(.link) ? try await clients.call(LinkShow.self, Empty()).share : nil
        }
        let less: [String] =
            switch share {
            case .apps:
                [Speech.say("household.this-machine-tells-no", "This machine does not send any sites.")]
            case .time:
                [
                    Speech.say(
                        "household.this-machine-tells-no-apps",
                        """
                        This machine sends no apps, sites or categories, only the length of use. On other \
                        machines, this counts only towards limits on everything.
                        """
                    )
                ]
            case .all, .unknown, nil: []
            }
        invocation.terminal.write(
            wrapping: [
                Speech.say(
                    "household.to-the-households-machine",
                    """
                    This machine sends data to the household's hub about the people who were named when it \
                    joined. It sends when each app and site was in the foreground, for how long, and its \
                    category. It sends when the computer was idle, locked, asleep or not observed, and what \
                    is in the foreground now. It also sends these people's rules, the delay for changes that \
                    loosen a rule, and how their requests are answered. It sends their requests for more \
                    time, the time that is granted, and the reasons. It sends the categories into which apps \
                    and sites were moved, and the lists of sites that were added. It also sends checksums of \
                    its records, which show only whether past records were changed. It sends no window \
                    titles, page addresses, texts or pictures, because none of these are recorded.
                    """
                ),
                Speech.say(
                    "household.from-there-come-the",
                    """
                    The household's hub sends this machine the same data from these people's other machines, \
                    and the names of those machines. Rules apply on all of these machines, and so does \
                    granted time. All data is encrypted in transit.
                    """
                ),
            ] + less
        )
        return .done
    }

    // MARK: - Services that do not run on every machine

    /// Runs the body when the service replies. If the service is wanted for the first time, has it started.
    static func with<Reply: Sendable>(
        _ service: ServiceName,
        isWanted: Bool = true,
        invocation: Invocation,
        body: @escaping @Sendable (ServiceClients) async throws -> Reply
    ) async throws -> Reply {
        try requireAdministrator(invocation)
        return try await ServiceClients.with(invocation.directories) { clients in
            guard isWanted || clients.isWanted(service) else { throw unwanted(service) }
            let mark = invocation.directories.wantedFile(service: service.rawValue)
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
            let deadline = SuspendingClock.now + (isNew ? startTimeout : .zero)
            while true {
                do {
                    return try await body(clients)
                } catch let problem as Problem
                    where problem.code == "service.not_running" && SuspendingClock.now < deadline
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
            """
            This machine has no address that other machines can reach. Connect it to the network, or give an \
            address with --address.
            """,
            help: "screentime household start --address 192.168.1.10:\(port)"
        )
    }
}

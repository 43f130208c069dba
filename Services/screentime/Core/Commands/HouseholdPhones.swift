import STContracts
import STPlatform
import STRendering
import STZeroMQ

/// Lets a guardian's or a teacher's phone in, or any other browser of theirs.
enum HouseholdPhones {
    static let phone = Command(
        ["household", "phone"],
        "Lets a guardian's phone in: its browser shows today, answers requests, gives time and stops computers",
        subjects: [.init("NAME", "what the phone is called")],
        options: [
            .init(
                "--for",
                "PERSON",
                "whom it looks after; several are separated by commas, and by default the children"
            ),
            address, ProofPrompt.option, .json,
        ],
        example: "screentime household phone mum"
    ) { try await letIn($0) }

    static let teacher = Command(
        ["household", "teacher"],
        "Lets a teacher's phone or computer in: its browser leaves only some apps open for a class, for a while",
        subjects: [.init("NAME", "what it is called, such as the teacher's name")],
        options: [
            .init(
                "--class",
                "GROUP",
                "the pupils: a group of this computer's accounts, also of a directory service"
            ),
            .init("--for", "PERSON", "the pupils by name, separated by commas"),
            .init("--hours", "HH:MM-HH:MM", "when the teacher's word counts, such as 08:00-13:00"),
            .init("--on", "DAYS", "such as mon-fri or sat,sun; every day by default"),
            address, ProofPrompt.option, .json,
        ],
        example: "screentime household teacher mrs-lee --class class-5b --hours 08:00-13:00 --on mon-fri"
    ) { try await letIn($0, lessons: try lessons($0)) }

    private static let address = Command.Option(
        "--address",
        "HOST:PORT",
        "how the phone reaches this machine; by default as other machines do, at port \(HouseholdPhone.portDefault)"
    )

    private static func lessons(_ invocation: Invocation) throws(Problem) -> HouseholdLessons {
        let line = "screentime household teacher \(ShellText.quoted(invocation.subjects[0]))"
        guard let hours = invocation.value("--hours"), invocation.has("--class") != invocation.has("--for")
        else {
            throw Problem(
                "usage.option_missing",
                "Say with --class or --for who is taught, and with --hours when.",
                help: "\(line) --class class-5b --hours 08:00-13:00 --on mon-fri"
            )
        }
        return HouseholdLessons(
            group: invocation.value("--class"),
            window: try WindowText.window(hours, "\(line) --hours"),
            days: try invocation.value("--on").map { text throws(Problem) in try DayList.days(text) }
        )
    }

    private static func pupils(_ group: String, _ clients: ServiceClients) async throws -> [String] {
        let accounts = Set(try HouseholdReport.group(group).members)
        let known = try await clients.call(HouseholdShow.self, Empty()).members.filter(accounts.contains)
        guard !known.isEmpty else {
            throw Problem(
                "household.no_people",
                "The household knows no person of the group \(TextFormat.fitting(group, bytes: 80)) yet. Let their machines join, with these accounts' names.",
                help: "screentime household show"
            )
        }
        return known
    }

    private static func letIn(_ invocation: Invocation, lessons: HouseholdLessons? = nil) async throws
        -> ExitCode
    {
        let prompt = ProofPrompt(invocation)
        let named = HouseholdReport.list(invocation.value("--for"))
        let reply = try await HouseholdCommand.with(.household, isWanted: false, invocation) { clients in
            let members = if let group = lessons?.group { try await pupils(group, clients) } else { named }
            return try await prompt.run { proof in
                try await clients.call(
                    HouseholdPhone.self,
                    .init(
                        name: invocation.subjects[0],
                        members: members,
                        address: invocation.value("--address"),
                        lessons: lessons,
                        proof: proof
                    )
                )
            }
        }
        let terminal = invocation.terminal
        return try invocation.show(json: try JSONOutput.pretty(of: reply)) {
            let picture =
                terminal.isTerminal ? QRPicture.lines(reply.link, isColoured: terminal.isColoured) : nil
            return (picture.map { $0 + [""] } ?? []) + [
                Speech.say("Open this on the phone, within ten minutes:", "휴대폰에서 10분 안에 여세요:"), "",
                "  \(reply.link)", "",
            ]
                + TextWrap.lines(
                    Speech.say(
                        "The phone must be in the same network, and a firewall must let that port through. Its browser warns once, because this household's certificate is its own: go on if the certificate's SHA-256 there is this:",
                        "휴대폰이 같은 네트워크에 있고 방화벽이 그 포트를 막지 않아야 합니다. 이 집의 인증서는 스스로 만든 것이라 브라우저가 한 번 경고합니다. 거기 인증서의 SHA-256이 다음과 같으면 계속하세요:"
                    ),
                    columns: terminal.columns
                ) + ["", "  \(reply.fingerprint)", ""]
                + TextWrap.lines(what(reply, lessons), columns: terminal.columns)
        }
    }

    /// `teacher of class-5b, 08:00–13:00`.
    static func hours(_ lessons: HouseholdLessons) -> String {
        let hours = "\(lessons.window.from)–\(lessons.window.to), \(DayList.text(lessons.days))"
        let group = DisplayWidth.harmless(lessons.group ?? "")
        return group.isEmpty
            ? Speech.say("teacher, \(hours)", "교사, \(hours)")
            : Speech.say("teacher of \(group), \(hours)", "\(group) 교사, \(hours)")
    }

    private static func what(_ reply: HouseholdPhone.Reply, _ lessons: HouseholdLessons?) -> String {
        let people = DisplayWidth.harmless(reply.members.joined(separator: ", "))
        guard let lessons else {
            return Speech.say(
                "It then shows what \(people) used, and answers for them without a passcode: anyone who can unlock the phone can do that. `screentime household remove` takes it out.",
                "그다음 \(people) 님의 사용을 보여 주고 암호 없이 답합니다. 휴대폰 잠금을 푸는 사람은 누구나 할 수 있습니다. `screentime household remove`로 뺍니다."
            )
        }
        let hours = "\(lessons.window.from)–\(lessons.window.to)"
        let zone = LocalZone.identifier()
        return Speech.say(
            "It then begins and ends lessons for \(people), from \(hours) (\(zone)), \(DayList.text(lessons.days)), and does nothing else. `screentime household remove` takes it out.",
            "그다음 \(people) 님의 수업을 \(DayList.text(lessons.days)) \(hours)(\(zone))에 시작하고 끝내며, 다른 일은 하지 못합니다. `screentime household remove`로 뺍니다."
        )
    }
}

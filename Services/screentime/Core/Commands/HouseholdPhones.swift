import STContracts
import STPlatform
import STRendering
import STZeroMQ

/// Approves a guardian's or a teacher's phone, or another browser of theirs.
enum HouseholdPhones {
    static let phone = Command(
        ["household", "phone"],
        """
        Approves a guardian's phone: its browser shows today's usage, answers requests, grants time and \
        stops computers
        """,
        subjects: [.init("NAME", "the name of the phone", key: "help.arg-name.what-the-phone-is-called")],
        options: [
            .init(
                "--for",
                value: "PERSON",
                summary: "the people whom the phone manages, separated by commas; by default the children",
                key: "help.--for.whom-it-looks-after-several"
            ),
            address, ProofPrompt.option, .json,
        ],
        example: "screentime household phone mum"
    ) { try await pair($0) }

    static let teacher = Command(
        ["household", "teacher"],
        "Approves a teacher's phone or computer: its browser can limit a class to some apps for a while",
        subjects: [
            .init(
                "NAME",
                "the name of the phone or computer, such as the teacher's name",
                key: "help.arg-name.what-it-is-called-such"
            )
        ],
        options: [
            .init(
                "--class",
                value: "GROUP",
                summary: "the pupils, as a group of accounts on this computer or in a directory service"
            ),
            .init(
                "--for",
                value: "PERSON",
                summary: "the pupils by name, separated by commas",
                key: "help.--for.the-pupils-by-name-separated"
            ),
            .init(
                "--hours",
                value: "HH:MM-HH:MM",
                summary: "when the teacher can give lessons, such as 08:00-13:00"
            ),
            .init(
                "--on",
                value: "DAYS",
                summary: "the days, such as mon-fri or sat,sun; every day by default"
            ),
            address, ProofPrompt.option, .json,
        ],
        example: "screentime household teacher mrs-lee --class class-5b --hours 08:00-13:00 --on mon-fri"
    ) { try await pair($0, lessons: try lessons($0)) }

    private static let address = Command.Option(
        "--address",
        value: "HOST:PORT",
        summary: """
            how the phone reaches this machine; by default the address that other machines use, with port \
            \(HouseholdPhone.portDefault, "portDefault")
            """,
        key: "help.--address.how-the-phone-reaches-this"
    )

    private static func lessons(_ invocation: Invocation) throws(Problem) -> HouseholdLessons {
        let line = "screentime household teacher \(ShellText.quote(invocation.subjects[0]))"
        guard let hours = invocation.value("--hours"), invocation.has("--class") != invocation.has("--for")
        else {
            throw Problem(
                "usage.option_missing",
                "Specify the pupils with --class or --for, and the times with --hours.",
                key: "usage.option_missing.say-with-class",
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
                """
                No one in the group \(TextFormat.truncated(group, bytes: 80), "group") belongs to the \
                household yet. Join their machines to the household, and use their account names as their \
                names in the household.
                """,
                key: "household.no_people.the-household-knows",
                help: "screentime household show"
            )
        }
        return known
    }

    private static func pair(_ invocation: Invocation, lessons: HouseholdLessons? = nil) async throws
        -> ExitCode
    {
        let prompt = ProofPrompt(invocation)
        let named = HouseholdReport.list(invocation.value("--for"))
        let reply = try await HouseholdCommand.with(.household, isWanted: false, invocation: invocation) {
            clients in
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
                Speech.say("household.open-this-on-the", "Open this on the phone, within ten minutes:"), "",
                "  \(reply.link)", "",
            ]
                + TextWrap.lines(
                    Speech.say(
                        "household.the-phone-must-be",
                        """
                        The phone must be on the same network, and any firewall must allow the port in the \
                        link. The phone's browser warns once, because the household makes its own \
                        certificate. Continue only if the browser shows this SHA-256 fingerprint for the \
                        certificate:
                        """
                    ),
                    columns: terminal.columns
                ) + ["", "  \(reply.fingerprint)", ""]
                + TextWrap.lines(permissionsText(reply, lessons), columns: terminal.columns)
        }
    }

    /// Returns the hours of a teacher, for example `teacher of class-5b, 08:00–13:00`.
    static func hours(_ lessons: HouseholdLessons) -> String {
        let hours = "\(lessons.window.from)–\(lessons.window.to), \(DayList.text(lessons.days))"
        let group = DisplayWidth.sanitized(lessons.group ?? "")
        return group.isEmpty
            ? Speech.say("household.teacher", "teacher, \(hours, "hours")")
            : Speech.say("household.teacher-of", "teacher of \(group, "group"), \(hours, "hours")")
    }

    private static func permissionsText(_ reply: HouseholdPhone.Reply, _ lessons: HouseholdLessons?) -> String
    {
        let people = DisplayWidth.sanitized(reply.members.joined(separator: ", "))
        guard let lessons else {
            return Speech.say(
                "household.it-then-shows-what",
                """
                The phone can then show the usage of \(people, "people"), answer their requests, grant time \
                and stop their computers without a passcode. Anyone who can unlock the phone can do this. \
                `screentime household remove` removes the phone.
                """
            )
        }
        let hours = "\(lessons.window.from)–\(lessons.window.to)"
        let zone = LocalZone.identifier()
        return Speech.say(
            "household.it-then-begins-and",
            """
            The browser can then begin and end lessons for \(people, "people"), and show their foreground \
            apps during a lesson. Lessons are possible at these times: \(hours, "hours") (\(zone, "zone")), \
            \(DayList.text(lessons.days), "text"). `screentime household remove` removes the browser.
            """
        )
    }
}

package import STContracts
import STCrypto
import STDomain
package import STPlatform
import STRules

/// Asks the companion to open the port for phones and to make a link. No role may call this over the bus.
package enum PhoneLinkQuery: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var address: String
        package var place: HouseholdState.PhoneEndpoint?
        package var pairing: PhonePairing
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var link = ""
        package var fingerprint = ""
        package var place: HouseholdState.PhoneEndpoint?
        package var problem: Problem?

        package init(problem: Problem) { self.problem = problem }

        /// The secret is in the fragment, which browsers do not send, so that no proxy or log stores the
        /// secret.
        package init(place: HouseholdState.PhoneEndpoint, secret: [UInt8], fingerprint: [UInt8]) {
            link = "https://\(place.address)/#\(TextFormat.hex(secret))"
            self.fingerprint = fingerprint.map { TextFormat.hex([$0]).uppercased() }.joined(separator: ":")
            self.place = place
        }
    }

    package static let name = "household.phone.ask"
    package static let kind = RouteKind.query
    package static let access: Access = []
    package static let isConfidential = true
    package static let summary = "Makes a link for a phone."
}

/// The future phone, until its browser has opened the link.
package struct PhonePairing: WireBody, Codable, Equatable {
    package var name: String
    package var by: String
    /// True if a guardian has entered a passcode for it.
    package var isProved: Bool
    package var members: [String]
    package var lessons: HouseholdLessons?
}

/// Phones of guardians: machines of the household without usage of their own, whose requests change it.
package enum Phones {
    private static let appsMax = 5
    private static let classAppsMax = 24
    private static let becauseBytesMax = 500

    static func members(_ request: HouseholdPhone.Request, _ state: HouseholdState) throws -> [String] {
        let all = state.members
        guard let wanted = request.members else {
            let children = Set(state.devices.flatMap(\.children))
            let found = all.filter { children.contains($0) }
            guard !all.isEmpty else {
                throw Problem(
                    "household.no_people",
                    "The household has no members yet. The first machine must join it.",
                    help: "screentime household invite"
                )
            }
            return found.isEmpty ? all : found
        }
        if let unknown = wanted.first(where: { !all.contains($0) }) {
            let list = all.joined(separator: ", ")
            throw Problem(
                "household.unknown_person",
                """
                The household has no member called \(TextFormat.truncated(unknown, bytes: 80), "name"). Its \
                members are: \(list, "known").
                """,
                field: "/members"
            )
        }
        return Array(Set(wanted)).sorted()
    }

    // MARK: - The phone

    /// Adds a phone whose browser has opened its link. The phone sends `token` with each request.
    package static func pair(
        _ pairing: PhonePairing,
        token: [UInt8],
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        var device = HouseholdState.Device(
            id: Identifier.make(wallMs: now.wallMs),
            name: MachineAdmission.uniqueName(pairing.name, state),
            key: Digest.blake2b(token),
            accounts: pairing.members.map { HouseholdAccount(here: $0, member: $0) },
            joinedAt: now.wall
        )
        device.phone = HouseholdState.Phone(
            by: pairing.by,
            isProved: pairing.isProved,
            token: TextFormat.hex(Digest.blake2b(token)),
            lessons: pairing.lessons
        )
        device.seenAt = now.wall
        state.save(device)
    }

    package static func phone(token: [UInt8], _ state: HouseholdState) throws(Problem)
        -> HouseholdState.Device
    {
        let digest = TextFormat.hex(Digest.blake2b(token))
        guard let found = state.devices.first(where: { !$0.isRemoved && $0.phone?.token == digest }) else {
            throw Problem(
                "phone.closed",
                "This phone is not approved. On the household's hub, run: screentime household phone NAME",
                key: "phone.closed.this-phone-is"
            )
        }
        return found
    }

    package static func page(
        of device: HouseholdState.Device,
        used: [HouseholdSums.Sum],
        shown: [HouseholdDevice],
        _ state: HouseholdState,
        _ now: TimeReading
    ) -> PhonePage {
        let machines = state.others(of: device).filter { $0.phone == nil }
        let views = Dictionary(shown.map { ($0.device, $0) }) { first, _ in first }
        let people = device.accounts.map(\.member)
        if let lessons = device.phone?.lessons {
            return page(
                of: device,
                lessons,
                used: used,
                machines: machines,
                views: views,
                state: state,
                now: now
            )
        }
        let connected = machines.filter { views[$0.id]?.isConnected == true }
        return PhonePage(
            by: device.phone?.by ?? "",
            people: people.map { member in
                let own = used.filter { $0.member == member }
                return PhonePage.Person(
                    member: member,
                    usedMs: own.reduce(0) { $0 + $1.ms },
                    apps: own.prefix(appsMax).map { PhonePage.App(app: $0.app ?? "", ms: $0.ms) },
                    now: foreground(of: member, on: connected, state),
                    stoppedBy: state.rules[member]?[HouseholdRule.stop].flatMap {
                        $0.spec == nil ? nil : $0.by ?? $0.device
                    },
                    isLookedAfter: manages(member, device: device, state: state),
                    open: open(of: member, besides: machines, state, now)
                )
            },
            machines: machines.map { view($0, seen: views[$0.id], people: people) }
        )
    }

    private static func view(
        _ machine: HouseholdState.Device,
        seen: HouseholdDevice?,
        people: [String]
    ) -> PhonePage.Machine {
        PhonePage.Machine(
            name: machine.name,
            people: machine.accounts.map(\.member).filter { people.contains($0) },
            seenMs: seen?.seenAt.flatMap { RFC3339.wallMs($0) },
            isConnected: seen?.isConnected == true,
            clockOffMs: seen?.clockOffMs
        )
    }

    /// Returns the page of a teacher.
    ///
    /// During a lesson it shows the foreground apps of the class. During the teaching hours it shows which machines are on.
    private static func page(
        of device: HouseholdState.Device,
        _ lessons: HouseholdLessons,
        used: [HouseholdSums.Sum],
        machines: [HouseholdState.Device],
        views: [String: HouseholdDevice],
        state: HouseholdState,
        now: TimeReading
    ) -> PhonePage {
        let rules = ZoneRules.load(LocalZone.identifier()) ?? .utc
        let hoursEnd = Lessons.hoursEnd(lessons, rules, at: now.wall)
        let lessonMs = device.phone?.lessonMs.flatMap { $0 > now.wallMs ? $0 : nil }
        let shown = lessonMs == nil ? [] : machines.filter { views[$0.id]?.isConnected == true }
        let people = device.accounts.map(\.member)
        return PhonePage(
            by: device.phone?.by ?? "",
            teaches: PhonePage.Class(
                name: lessons.group,
                window: lessons.window,
                days: lessons.days,
                hoursEndMs: hoursEnd?.ms,
                lessonEndMs: lessonMs,
                opens: lessonMs == nil ? [] : Lessons.spec(of: device, state)?.opens ?? [],
                apps: used.compactMap(\.app).filter { !$0.isEmpty }.prefix(classAppsMax).map(\.self)
            ),
            people: people.map { member in
                PhonePage.Person(member: member, now: foreground(of: member, on: shown, state))
            },
            machines: hoursEnd == nil ? [] : machines.map { view($0, seen: views[$0.id], people: people) }
        )
    }

    private static func foreground(
        of member: String,
        on machines: [HouseholdState.Device],
        _ state: HouseholdState
    ) -> [PhonePage.Now] {
        machines.flatMap { machine in
            state.open(on: machine).map(\.segment).filter { $0.member == member && $0.shielded != true }.map {
                PhonePage.Now(machine: machine.name, app: $0.app, site: $0.domain, sinceMs: $0.startWallMs)
            }
        }
    }

    /// Returns the open requests of a member, including those that phones have granted.
    private static func open(
        of member: String,
        besides machines: [HouseholdState.Device],
        _ state: HouseholdState,
        _ now: TimeReading
    ) -> [HouseholdRequest] {
        let phones = state.activeDevices.filter { $0.phone != nil }
        let answered = Set(phones.flatMap { ($0.requests.answers ?? [:]).keys })
        let takenBack = Set(state.activeDevices.flatMap(\.requests.takenBack))
        return (machines + phones).flatMap(\.requests.open).filter { open in
            let key = open.request.key ?? ""
            return open.request.member == member && open.untilMs > now.wallMs && !takenBack.contains(key)
                && !(open.request.state == .waiting && answered.contains(key))
        }
        .map { open in
            var request = open.request
            request.leftMs = open.untilMs - now.wallMs
            return request
        }
        .sorted { ($1.askedMs, $0.key ?? "") < ($0.askedMs, $1.key ?? "") }
    }

    // MARK: - What a guardian does

    /// Grants a waiting request for a time, or denies it.
    package static func answer(
        _ key: String,
        for length: Duration?,
        because: String?,
        from device: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        try checkGuardian(device)
        let found = state.others(of: device).flatMap(\.requests.open).first { $0.request.key == key }
        guard let found, found.request.state == .waiting, found.untilMs > now.wallMs,
            device.localMember(found.request.member) != nil
        else { throw Problem("phone.not_waiting", "This request is no longer waiting for an answer.") }
        if let length {
            try check(length)
            try checkManages(found.request.member, device: device, state: state)
        }
        guard isReason(because ?? "") else {
            throw Problem(
                "request.bad_words",
                "A reason has at most \(becauseBytesMax, "bytes") bytes and no control characters."
            )
        }
        let name = "\(found.request.request)/\(found.request.askedMs)"
        try change(device, state: &state, now: now) { requests, by in
            requests.answers = (requests.answers ?? [:])
            requests.answers?[key] = HouseholdAnswer(
                request: name,
                forMs: length?.ms,
                because: because,
                by: by
            )
        }
    }

    /// Grants time for everything, without a request.
    package static func grant(
        _ member: String,
        for length: Duration,
        from device: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        try check(length)
        try checkManages(member, device: device, state: state)
        try change(device, state: &state, now: now) { requests, by in
            var request = HouseholdRequest(
                request: "R\(requests.changes + 1)",
                askedMs: now.wallMs,
                member: member,
                state: .granted,
                items: [],
                durationMs: length.ms,
                by: by,
                leftMs: 0,
                device: device.name
            )
            request.key = "\(device.id)/\(request.request)/\(request.askedMs)"
            requests.open.append(.init(request: request, untilMs: (now.wall + length).ms))
        }
    }

    /// Revokes a grant on all machines.
    package static func revoke(
        _ key: String,
        from device: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        try checkGuardian(device)
        let known = state.activeDevices.flatMap(\.requests.open).map(\.request).first { $0.key == key }
        guard let known, known.state == .granted, device.localMember(known.member) != nil else {
            throw Problem("phone.not_granted", "The granted time is over, or was already revoked.")
        }
        try change(device, state: &state, now: now) { requests, _ in
            requests.open.removeAll { $0.request.key == key }
            if !requests.takenBack.contains(key) { requests.takenBack.append(key) }
        }
    }

    /// Blocks all computers of a person except for always-allowed apps, or ends the block.
    package static func setStopped(
        _ member: String,
        isStopped: Bool,
        from device: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        try checkManages(member, device: device, state: state)
        let stands = state.rules[member]?[HouseholdRule.stop] ?? .none(HouseholdRule.stop, of: member)
        var rule = stands
        rule.by = device.phone?.by
        rule.spec = nil
        if isStopped {
            var spec = RuleSpec(
                kind: .downtime,
                name: HouseholdRule.stop,
                window: RuleWindow(from: "00:00", to: "00:00"),
                then: .shield
            )
            spec.say = "Stopped from a phone."
            rule.spec = try RuleCheck.checked(spec, for: Member(name: member, role: .individual))
        }
        HouseholdRuleMerger.apply(rule, from: device, &state)
        guard isStopped else { return }
        let phones = state.activeDevices.filter { $0.phone != nil }
        // A grant that is over is removed by the first change, and must not prevent the others from being revoked.
        let granted = (state.others(of: device) + phones).flatMap(\.requests.open)
            .filter { $0.untilMs > now.wallMs }.map(\.request)
            .filter { $0.member == member && $0.state == .granted }
        for key in Set(granted.compactMap(\.key)).sorted() {
            try revoke(key, from: device, state: &state, now: now)
        }
    }

    static func isReason(_ text: String) -> Bool { text.utf8.count <= becauseBytesMax && text.isPlain }

    private static func check(_ length: Duration) throws(Problem) {
        guard RequestRule.grantMs.contains(length.ms) else {
            throw Problem(
                "request.bad_duration",
                "The time to grant must be from 1 s to 24 h.",
                field: "/duration_ms"
            )
        }
    }

    /// Returns true if the phone may give the member time. A person's own phone must not bypass their own rules.
    private static func manages(
        _ member: String,
        device: HouseholdState.Device,
        state: HouseholdState
    ) -> Bool {
        device.isGuardians
            && (device.phone.map { $0.isProved && $0.by != member } == true
                || state.devices.contains { $0.children.contains(member) })
    }

    private static func checkGuardian(_ device: HouseholdState.Device) throws(Problem) {
        guard device.isGuardians else {
            throw Problem(
                "phone.teachers",
                "This is a teacher's page. It can only start and end lessons."
            )
        }
    }

    private static func checkManages(
        _ member: String,
        device: HouseholdState.Device,
        state: HouseholdState
    ) throws(Problem) {
        guard device.localMember(member) != nil, manages(member, device: device, state: state) else {
            throw Problem(
                "phone.not_theirs",
                """
                This phone cannot manage \(TextFormat.truncated(member, bytes: 80), "member"): it only shows \
                usage. A guardian approved it for other members, or gave no passcode.
                """
            )
        }
    }

    /// Changes the requests and answers of a phone, and removes those that are over.
    private static func change(
        _ device: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading,
        body: (inout DeviceRequests, _ by: String) -> Void
    ) throws {
        guard var device = state.device(device.id) else { return }
        body(&device.requests, device.phone?.by ?? "")
        let open = Set(state.activeDevices.flatMap(\.requests.open).compactMap(\.request.key))
        device.requests.open.removeAll { $0.untilMs <= now.wallMs }
        device.requests.takenBack.removeAll { !open.contains($0) }
        device.requests.answers = device.requests.answers?.filter { open.contains($0.key) }
        device.requests.changes += 1
        device.seenAt = now.wall
        state.save(device)
    }
}

import STContracts
import STCrypto
import STDomain
import STEngine
import STHouseholdCore
import STPages
import STPlatform
import STServiceKit
import STZeroMQ

/// Shows guardians' phones, over HTTPS, what goes on, and takes their word. There is no server before the first link is made.
actor PhoneDoor {
    private static let renewMs: Int64 = 30 * 86_400_000
    private static let cookie = "__Host-phone"
    /// As long as browsers keep one.
    private static let cookieSeconds = 400 * 86_400
    private static let pendingMax = 20
    /// What a class has used for so long may stay open in a lesson.
    private static let classDays = 14
    private static let classEveryMs: Int64 = 60_000

    private struct Pending {
        var pairing: PhonePairing
        var untilBootMs: Int64
    }

    private struct Deed: WireBody, Codable {
        var what: What
        var key: String?
        var member: String?
        var ms: Int64?
        var because: String?
        /// Of a lesson: what stays open, and until when.
        var items: [TokenItem]?
        var untilMs: Int64?
    }

    private enum What: String, Codable { case approve, deny, give, back, stop, resume, lesson, over }

    private struct Key: WireBody, Codable { var key: String }

    private let host: ServiceHost<HouseholdState>
    private let surroundings: Surroundings
    private let stores: HouseholdStores
    private let bus: BusClient
    /// Links that no phone has followed yet, by the digest of their secret.
    private var pending: [[UInt8]: Pending] = [:]
    private var servers: [(place: HouseholdState.PhonePlace, server: PageServer)] = []
    private var problem: Problem?
    /// By a teacher's phone: when it was last looked who is in the class, and what it has used.
    private var classes: [String: (atMs: Int64, apps: [HouseholdSums.Sum]?)] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<HouseholdState>, _ surroundings: Surroundings, _ stores: HouseholdStores) {
        self.host = host
        self.surroundings = surroundings
        self.stores = stores
        bus = surroundings.makeClient()
    }

    // MARK: - Opening

    func ask(_ request: PhoneAsk.Request) -> PhoneAsk.Reply {
        do {
            let place = try place(request.place, at: request.address)
            try open(place)
            let nowMs = surroundings.time.now().bootMs
            pending = pending.filter { $0.value.untilBootMs > nowMs }
            guard pending.count < Self.pendingMax else {
                throw Problem(
                    "household.too_many_invitations",
                    "\(Self.pendingMax) invitations are open, which is the limit. They last ten minutes; wait a little."
                )
            }
            let secret = try KeyPair.make().secret
            pending[Digest.blake2b(secret)] = Pending(
                pairing: request.pairing,
                untilBootMs: nowMs + HouseholdPhone.lastsMs
            )
            let certificate = PageCertificate(key: place.key, certificate: place.certificate)
            return PhoneAsk.Reply(
                // Behind the #, so that no program on the way keeps it.
                link: "https://\(place.address)/#\(TextFormat.hex(secret))",
                fingerprint: try certificate.look().fingerprint.map { TextFormat.hex([$0]).uppercased() }
                    .joined(separator: ":"),
                place: place
            )
        } catch {
            return PhoneAsk.Reply(problem: Problem(error))
        }
    }

    private func place(_ known: HouseholdState.PhonePlace?, at address: String) throws(Problem)
        -> HouseholdState.PhonePlace
    {
        if let running = servers.first(where: { Self.port(of: $0.place.address) == Self.port(of: address) }) {
            return HouseholdState.PhonePlace(
                address: address,
                key: running.place.key,
                certificate: running.place.certificate
            )
        }
        if let known, known.address == address {
            let made = PageCertificate(key: known.key, certificate: known.certificate)
            if try made.look().untilMs > surroundings.time.now().wallMs + Self.renewMs { return known }
        }
        let made = try PageCertificate(for: Self.host(of: address))
        return HouseholdState.PhonePlace(
            address: address,
            key: made.key,
            certificate: made.certificate
        )
    }

    private static func port(of address: String) -> UInt16 {
        UInt16(address.split(separator: ":").last ?? "") ?? HouseholdPhone.portDefault
    }

    private static func host(of address: String) -> String {
        let host = address[..<(address.lastIndex(of: ":") ?? address.endIndex)]
        return String(host.drop { $0 == "[" }.prefix { $0 != "]" })
    }

    /// Serves the phones that belong here, also after a new start.
    func keepOpen(_ state: HouseholdState) {
        guard let place = state.own?.phones,
            state.devices.contains(where: { !$0.isRemoved && $0.phone != nil })
        else { return }
        do {
            try open(try self.place(place, at: place.address))
            problem = nil
        } catch {
            if problem != error { surroundings.log.problem("phones_not_served", error) }
            problem = error
        }
    }

    private func open(_ place: HouseholdState.PhonePlace) throws(Problem) {
        let port = Self.port(of: place.address)
        guard !servers.contains(where: { Self.port(of: $0.place.address) == port }) else { return }
        let server = try PageServer(
            port: port,
            PageCertificate(key: place.key, certificate: place.certificate),
            isLocal: place.address.hasPrefix("127.")
        ) { [weak self] in
            await self?.answer($0)
                ?? PageAnswer.refusal(
                    Problem("phone.closed", "The household's service is ending. Try again in a moment.")
                )
        }
        try server.start()
        servers.append((place, server))
        surroundings.log.info("phones_served", "Phones are answered.", ["address": .text(place.address)])
    }

    // MARK: - Answering

    private func answer(_ request: PageRequest) async -> PageReply {
        do {
            var reply = try await reply(request)
            // Other pages are the same for everyone, so a request for them proves nothing.
            reply.isKnown = request.method == "POST" || request.path == "/all"
            return reply
        } catch {
            return PageAnswer.refusal(Problem(error))
        }
    }

    private func reply(_ request: PageRequest) async throws -> PageReply {
        if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" {
            throw Problem("phone.other_page", "Only Screen Time's own page may ask this.")
        }
        switch (request.method, request.path) {
        case ("GET", "/all"): return try await all(request)
        case ("GET", let path):
            let name = path == "/" ? "index.html" : path.hasPrefix("/page/") ? String(path.dropFirst(6)) : ""
            guard let asset = Self.assets[name] else {
                throw Problem("phone.not_found", "There is no page \(path.prefix(80)).")
            }
            return PageAnswer.whole(asset.bytes, asset.type)
        case ("POST", _):
            guard request.headers["origin"] == "https://\(request.headers["host"] ?? "")" else {
                throw Problem("phone.other_page", "Only Screen Time's own page may change something.")
            }
            switch request.path {
            case "/pair": return try await pair(request)
            case "/do": return try await change(request)
            default: throw Problem("phone.not_found", "Changes go to /do.")
            }
        default: throw Problem("phone.wrong_method", "The page asks by GET and changes by POST.")
        }
    }

    private static let assets = PageAsset.common.merging([
        "index.html": PageAsset(bytes: PackageResources.index_html, type: "text/html; charset=utf-8"),
        "phone.js": PageAsset(bytes: PackageResources.phone_js, type: PageAsset.script),
        "words.js": PageAsset(bytes: PackageResources.words_js, type: PageAsset.script),
    ]) { $1 }

    private func pair(_ request: PageRequest) async throws -> PageReply {
        guard let secret = (try? Key.decodedBody(request.body)).flatMap({ TextFormat.bytes(hex: $0.key) }),
            let found = pending.removeValue(forKey: Digest.blake2b(secret)),
            found.untilBootMs > surroundings.time.now().bootMs
        else {
            throw Problem(
                "phone.link_over",
                "This link was used, or is older than ten minutes. Make a new one on the household's machine: screentime household phone NAME"
            )
        }
        let token = try KeyPair.make().secret
        do {
            try await host.step("household.phone.pair") { [stores] state, _, change in
                try stores.ready(&state, change)
                try Phones.pair(found.pairing, token: token, &state, change.now)
            }
        } catch {
            // The link was not used.
            pending[Digest.blake2b(secret)] = found
            throw error
        }
        surroundings.log.info(
            "phone_paired",
            "A phone belongs here now.",
            ["name": .text(found.pairing.name)]
        )
        return Self.with(cookie: TextFormat.hex(token), PageAnswer.json("{}"))
    }

    private static func with(cookie value: String, _ reply: PageReply) -> PageReply {
        var reply = reply
        reply.headers["Set-Cookie"] =
            "\(cookie)=\(value); Path=/; Max-Age=\(cookieSeconds); Secure; HttpOnly; SameSite=Strict"
        return reply
    }

    /// What the phone says of itself.
    private static func token(_ request: PageRequest) -> [UInt8] {
        let cookies = (request.headers["cookie"] ?? "").split(separator: ";")
        let own = cookies.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("\(cookie)=") }
        return own.flatMap { TextFormat.bytes(hex: String($0.dropFirst(cookie.count + 1))) } ?? []
    }

    private func all(_ request: PageRequest) async throws -> PageReply {
        let token = Self.token(request)
        let phone = try await known(token: token)
        let now = surroundings.time.now()
        let used =
            if let lessons = phone.phone?.lessons {
                try await apps(of: phone, lessons, now)
            } else {
                try await sums(of: phone, on: today(now), by: [.member, .app])
            }
        let present = try await bus.call(HouseholdShow.self, Empty()).devices
        let page = Phones.page(of: phone, used: used, shown: present, try await host.state, now)
        let body = try page.encodedBody()
        // A page asks every few seconds; what is left of a grant goes by the phone's own clock.
        let known = TextFormat.hex(Digest.blake2b(try page.steady.encodedBody()))
        if request.query["known"] == known { return PageAnswer.same }
        var reply = Self.with(
            cookie: TextFormat.hex(token),
            PageAnswer.json(String(decoding: body, as: UTF8.self))
        )
        reply.headers["ETag"] = known
        return reply
    }

    private func today(_ now: TimeReading) -> CivilDate {
        LocalDay(zone: LocalZone.identifier()).day(ofWallMs: now.wallMs)
    }

    private func sums(
        of phone: HouseholdState.Device,
        on day: CivilDate,
        by: [HouseholdSumKey]
    ) async throws -> [HouseholdSums.Sum] {
        try await bus.call(
            HouseholdSums.self,
            .init(from: day.text, through: day.text, by: by, members: phone.accounts.map(\.member))
        )
        .sums
    }

    /// What a class used lately at the hours of its lessons; nothing at other hours.
    private func apps(of phone: HouseholdState.Device, _ lessons: HouseholdLessons, _ now: TimeReading)
        async throws -> [HouseholdSums.Sum]
    {
        let rules = ZoneRules.of(LocalZone.identifier()) ?? .utc
        guard Lessons.hoursEnd(lessons, rules, nowMs: now.wallMs) != nil else { return [] }
        let known = classes[phone.id]
        if let apps = known?.apps { return apps }
        var used: [HouseholdSums.Sum] = []
        // Of several days at once there may be more than fit.
        for day in (0...Self.classDays).map({ today(now).adding(days: -$0) })
        where lessons.days?.contains(day.weekday) ?? true {
            used += try await sums(of: phone, on: day, by: [.hour, .app])
        }
        let apps = Lessons.apps(used, at: lessons)
        // The class may have been brought up to date meanwhile.
        if classes[phone.id]?.atMs == known?.atMs { classes[phone.id]?.apps = apps }
        return apps
    }

    /// Finds the phone. A teacher's class is brought up to date first.
    private func known(token: [UInt8]) async throws -> HouseholdState.Device {
        let phone = try Phones.phone(token: token, try await host.state)
        let nowMs = surroundings.time.now().bootMs
        guard let lessons = phone.phone?.lessons,
            classes[phone.id].map({ nowMs - $0.atMs > Self.classEveryMs }) ?? true
        else { return phone }
        classes[phone.id] = (nowMs, nil)
        // A directory service may take its time.
        guard let group = lessons.group,
            let pupils = await Task.detached(operation: { AccountGroup.members(of: group) }).value
        else { return phone }
        try await host.step("household.class") { [stores] state, _, change in
            try stores.ready(&state, change)
            try Lessons.take(pupils, of: phone, &state)
        }
        // What was added up meanwhile was of the class before.
        classes[phone.id] = (nowMs + 1, nil)
        return try Phones.phone(token: token, try await host.state)
    }

    private func change(_ request: PageRequest) async throws -> PageReply {
        let token = Self.token(request)
        guard let deed = try? Deed.decodedBody(request.body) else {
            throw Problem(
                "phone.bad_request",
                "A change says what it is: approve, deny, give, back, stop, resume, lesson or over."
            )
        }
        try await host.step("household.phone.\(deed.what.rawValue)") { [stores] state, _, change in
            try stores.ready(&state, change)
            let phone = try Phones.phone(token: token, state)
            let (key, member) = (deed.key ?? "", deed.member ?? "")
            switch deed.what {
            case .approve, .deny:
                try Phones.answer(
                    key,
                    forMs: deed.what == .approve ? deed.ms ?? 0 : nil,
                    because: deed.because,
                    from: phone,
                    &state,
                    change.now
                )
            case .give: try Phones.give(member, forMs: deed.ms ?? 0, from: phone, &state, change.now)
            case .back: try Phones.takeBack(key, from: phone, &state, change.now)
            case .stop, .resume:
                try Phones.stop(member, deed.what == .stop, from: phone, &state, change.now)
            case .lesson:
                try Lessons.begin(
                    deed.items ?? [],
                    untilMs: deed.untilMs ?? 0,
                    from: phone,
                    ZoneRules.of(LocalZone.identifier()) ?? .utc,
                    &state,
                    change.now
                )
            case .over: try Lessons.end(from: phone, &state, change.now)
            }
        }
        return PageAnswer.json("{}")
    }
}

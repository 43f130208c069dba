import STContracts
import STCrypto
import STDomain
import STEngine
import STHouseholdCore
import STPages
import STPlatform
import STServiceKit
import STZeroMQ

/// Serves the page of guardians' phones over HTTPS, and performs their changes. There is no server before the first link is made.
actor PhoneServer {
    private let host: ServiceHost<HouseholdState>
    private let surroundings: ServiceEnvironment
    private let steps: HouseholdSteps
    private let bus: BusClient
    private var links = PhoneLinks()
    private var servers: [(place: HouseholdState.PhoneEndpoint, server: PageServer)] = []
    private var serverProblem: Problem?
    /// By a teacher's phone: the moment at which the class was last updated, and the usage of the class.
    private var classes: [String: (updated: BootTime, apps: [HouseholdSums.Sum]?)] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.loop.thread.asUnownedSerialExecutor()
    }

    init(_ host: ServiceHost<HouseholdState>, surroundings: ServiceEnvironment, stores: HouseholdStores) {
        self.host = host
        self.surroundings = surroundings
        steps = HouseholdSteps(stores)
        bus = surroundings.makeClient()
    }

    // MARK: - Opening

    func makeLink(_ request: PhoneLinkQuery.Request) -> PhoneLinkQuery.Reply {
        do {
            let place = try endpoint(request.place, at: request.address)
            try open(place)
            let secret = try links.add(request.pairing, at: surroundings.time.now().boot)
            let certificate = PageCertificate(key: place.key, certificate: place.certificate)
            let fingerprint = try certificate.inspect().fingerprint
            return PhoneLinkQuery.Reply(place: place, secret: secret, fingerprint: fingerprint)
        } catch {
            return PhoneLinkQuery.Reply(problem: Problem(error))
        }
    }

    private func endpoint(_ known: HouseholdState.PhoneEndpoint?, at address: String) throws(Problem)
        -> HouseholdState.PhoneEndpoint
    {
        let port = HouseholdState.PhoneEndpoint.port(of: address)
        if let running = servers.first(where: { $0.place.port == port }) {
            return running.place.moved(to: address)
        }
        if let known, known.address == address {
            let certificate = PageCertificate(key: known.key, certificate: known.certificate)
            let until = WallTime(ms: try certificate.inspect().untilMs)
            let now = surroundings.time.now().wall
            if HouseholdState.PhoneEndpoint.isValid(until: until, now: now) { return known }
        }
        let made = try PageCertificate(for: HouseholdState.PhoneEndpoint.host(of: address))
        return HouseholdState.PhoneEndpoint(address: address, key: made.key, certificate: made.certificate)
    }

    /// Serves the household's phones, also after a restart.
    func reconcileServers(_ state: HouseholdState) {
        guard let place = state.servedPhones else { return }
        do {
            try open(try self.endpoint(place, at: place.address))
            serverProblem = nil
        } catch {
            if serverProblem != error { surroundings.log.problem("phones_not_served", error) }
            serverProblem = error
        }
    }

    private func open(_ place: HouseholdState.PhoneEndpoint) throws(Problem) {
        guard !servers.contains(where: { $0.place.port == place.port }) else { return }
        let server = try PageServer(
            port: place.port,
            PageCertificate(key: place.key, certificate: place.certificate),
            isLocal: place.isLocal
        ) { [weak self] in
            await self?.answer($0)
                ?? PageResponses.refusal(
                    Problem("phone.closed", "The household's service is stopping. Try again in a moment.")
                )
        }
        try server.start()
        servers.append((place, server))
        surroundings.log.info(
            "phones_served",
            "Phones are answered.",
            fields: ["address": .text(place.address)]
        )
    }

    // MARK: - Answering

    private func answer(_ request: PageRequest) async -> PageReply {
        do {
            let asked = try PhoneRequest(method: request.method, path: request.path, headers: request.headers)
            var reply = try await reply(to: asked, request)
            reply.isAuthenticated = asked.authenticatesSender
            return reply
        } catch {
            var problem = Problem(error)
            problem.message = problem.text.text(in: DisplayLanguage(of: request.query["language"]))
            return PageResponses.refusal(problem)
        }
    }

    private func reply(to asked: PhoneRequest, _ request: PageRequest) async throws -> PageReply {
        switch asked {
        case .file(let name):
            guard let asset = Self.assets[name] else { throw PhoneRequest.noPage(request.path) }
            return PageResponses.whole(asset.bytes, asset.type)
        case .all: return try await page(request)
        case .pair: return try await pair(request)
        case .change: return try await change(request)
        }
    }

    private static let assets = PageAsset.common.merging([
        "index.html": PageAsset(bytes: PackageResources.index_html, type: "text/html; charset=utf-8"),
        "phone.js": PageAsset(bytes: PackageResources.phone_js, type: PageAsset.script),
        "words.js": PageAsset.localized(PackageResources.words_js, area: "phone-page"),
    ]) { $1 }

    private func pair(_ request: PageRequest) async throws -> PageReply {
        let link = try links.redeem(request.body, at: surroundings.time.now().boot)
        let token = try KeyPair.make().secret
        do {
            try await host.step("household.phone.pair", steps.pair(link.pairing, token: token))
        } catch {
            // Keep the link, because it was not used.
            links.restore(link)
            throw error
        }
        surroundings.log.info(
            "phone_paired",
            "A phone belongs here now.",
            fields: ["name": .text(link.pairing.name)]
        )
        return Self.settingCookie(token, PageResponses.json("{}"))
    }

    private static func settingCookie(_ token: [UInt8], _ reply: PageReply) -> PageReply {
        var reply = reply
        reply.headers["Set-Cookie"] = PhoneRequest.setCookie(token)
        return reply
    }

    private func page(_ request: PageRequest) async throws -> PageReply {
        let token = PhoneRequest.token(request.headers)
        let phone = try await authenticatedPhone(token: token)
        let now = surroundings.time.now()
        let used =
            if let lessons = phone.phone?.lessons {
                try await apps(of: phone, lessons, now)
            } else { try await sums(of: phone, on: today(now), by: [.member, .app]) }
        let present = try await bus.call(HouseholdShow.self, Empty()).devices
        let page = Phones.page(of: phone, used: used, shown: present, try await host.state, now)
        let body = String(decoding: try page.encodedBody(), as: UTF8.self)
        let digest = try page.digest
        if request.query["known"] == digest { return PageResponses.notModified }
        var reply = Self.settingCookie(token, PageResponses.json(body))
        reply.headers["ETag"] = digest
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

    /// Returns the recent usage of a class in the hours of its lessons. Returns nothing at other hours.
    private func apps(of phone: HouseholdState.Device, _ lessons: HouseholdLessons, _ now: TimeReading)
        async throws -> [HouseholdSums.Sum]
    {
        let rules = ZoneRules.load(LocalZone.identifier()) ?? .utc
        guard Lessons.hoursEnd(lessons, rules, at: now.wall) != nil else { return [] }
        let known = classes[phone.id]
        if let apps = known?.apps { return apps }
        var used: [HouseholdSums.Sum] = []
        // The sums of several days together can exceed one reply.
        for day in Lessons.lastDays(of: lessons, through: today(now)) {
            used += try await sums(of: phone, on: day, by: [.hour, .app])
        }
        let apps = Lessons.apps(used, at: lessons)
        // The class may have been updated meanwhile.
        if classes[phone.id]?.updated == known?.updated { classes[phone.id]?.apps = apps }
        return apps
    }

    /// Finds the phone. If it belongs to a teacher, its class is updated first.
    private func authenticatedPhone(token: [UInt8]) async throws -> HouseholdState.Device {
        let phone = try Phones.phone(token: token, try await host.state)
        let now = surroundings.time.now().boot
        guard let lessons = phone.phone?.lessons,
            Lessons.isClassLookupDue(last: classes[phone.id]?.updated, now: now)
        else { return phone }
        classes[phone.id] = (now, nil)
        // A directory service may be slow.
        guard let group = lessons.group,
            let pupils = await Task.detached(operation: { AccountGroup.members(of: group) }).value
        else { return phone }
        try await host.step("household.class", steps.setClass(pupils, of: phone))
        // Discard sums of the earlier class.
        classes[phone.id] = (now + .milliseconds(1), nil)
        return try Phones.phone(token: token, try await host.state)
    }

    private func change(_ request: PageRequest) async throws -> PageReply {
        let token = PhoneRequest.token(request.headers)
        let deed = try PhoneAction(body: request.body)
        let step = steps.perform(deed, token: token)
        try await host.step("household.phone.\(deed.what.rawValue)", step)
        return PageResponses.json("{}")
    }
}

import Glibc
import STContracts
import STPlatform
import STRendering
import STZeroMQ

/// A message to the extension about one host.
struct SiteWord: WireBody, Codable, Equatable {
    var host: String
    /// The shield's appearance. `nil` if nothing shields the host, or if the message contains only a response.
    var look: ShieldLook?
    var response: ShieldResponse?
}

/// The shields of the sites that are open in a browser: shield-service's decisions, and pressed buttons.
actor SiteShields {
    private static let hostsMax = 200
    private static let deadlineMs: Int64 = 2_000
    private static let lookMs: Int64 = 10_000
    /// Upper bound on the size of a picture. A larger one is not sent to the browser.
    private static let iconBytesMax = 96 * 1024

    private struct Site {
        /// The shield's appearance, which is loaded before the extension receives it. `nil` if nothing shields the site.
        var look: ShieldLook?
        var goodUntilMs: Int64?
        /// The id of the shield that was shown to the person, for its buttons.
        var shield: String?
        var presses: Int64 = 0
    }

    private let client: BusClient
    private let language: String?
    private let run = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
    private let say: @Sendable (SiteWord) -> Void
    private var sites: [String: Site] = [:]
    private var hosts: [String] = []
    private var front: String?
    private var isOld = false
    private var isLooking = false
    /// The timer for the end of granted time.
    private var grantEnd: Alarm?
    private var isOver = false
    private var showings: Int64 = 0
    private var changed: @Sendable () -> Void = {}
    private nonisolated let loop: BusLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(_ loop: BusLoop, _ client: BusClient, language: String?, say: @escaping @Sendable (SiteWord) -> Void)
    {
        self.loop = loop
        self.client = client
        self.language = language
        self.say = say
    }

    /// Sets the function that is called when a shield appears or disappears.
    func listen(_ changed: @escaping @Sendable () -> Void) {
        self.changed = changed
        grantEnd = Alarm(loop.thread) { [weak self] in self?.assumeIsolated { $0.look() } }
    }

    /// Returns true if a shield covers the pages of a host.
    func covers(_ host: String?) -> Bool { host.flatMap { sites[$0]?.look } != nil }

    /// Sets the hosts of all tabs, and the foreground host.
    func open(_ hosts: [String], front: String?) {
        self.hosts = Array(hosts.prefix(Self.hostsMax))
        self.front = front
        let open = Set(self.hosts)
        sites = sites.filter { open.contains($0.key) }
        look()
    }

    /// Refreshes all shields, because a policy has changed or time has passed.
    func look() {
        isOld = true
        guard !isLooking else { return }
        isLooking = true
        Task { await lookAtAll() }
    }

    /// Removes all shields, because Screen Time has stopped. The shields return when it replies again.
    func end() {
        isOver = true
        for (host, site) in sites where site.look != nil { say(SiteWord(host: host)) }
        sites = sites.mapValues { _ in Site() }
    }

    func goOn() {
        guard isOver else { return }
        isOver = false
        look()
    }

    private func lookAtAll() async {
        while isOld {
            isOld = false
            for host in hosts where !isOld {
                guard !isOver, await isAnswered(host) else {
                    leaveOpen()
                    break
                }
            }
        }
        isLooking = false
    }

    /// Returns false if shield-service does not reply. Shields then stay unchanged.
    ///
    /// A host that is no valid site, for example an address, is not shielded.
    private func isAnswered(_ host: String) async -> Bool {
        do {
            try await look(at: host)
            return true
        } catch {
            guard !Problem(error).retryable else { return false }
            if sites[host] == nil {
                sites[host] = Site()
                say(SiteWord(host: host))
            }
            return true
        }
    }

    /// Leaves new pages open, because they must not wait until Screen Time replies.
    private func leaveOpen() {
        for host in hosts where sites[host] == nil {
            sites[host] = Site()
            say(SiteWord(host: host))
        }
    }

    private func look(at host: String) async throws {
        let subject = Self.subject(host)
        let options = CallOptions(timeoutMs: Self.deadlineMs)
        let word = try await client.call(ShieldDecide.self, .init(subject: subject), options)
        let decision = word.decision
        let nowMs = SystemTimeSource().now().wallMs
        if let untilMs = word.untilWallMs { grantEnd?.ring(afterMs: max(0, untilMs - nowMs)) }
        guard hosts.contains(host) else { return }
        guard decision.isShielded else {
            if let known = sites[host], known.look == nil { return }
            sites[host] = Site()
            say(SiteWord(host: host))
            return changed()
        }
        let site = sites[host] ?? Site()
        let isStale = site.goodUntilMs.map { $0 <= nowMs } ?? false
        if host == front, site.shield == nil {
            try await show(host)
        } else if site.look == nil || isStale {
            let request = ShieldConfigurationAsk.Request(subject: subject, language: language)
            let reply = try await client.call(
                ShieldConfigurationAsk.self,
                request,
                CallOptions(timeoutMs: Self.lookMs)
            )
            if reply.decision.isShielded { take(reply.view, host) }
        }
    }

    /// Returns the subject in the form of the usage records.
    private static func subject(_ host: String) -> ShieldSubject {
        ShieldSubject(domain: host.hasPrefix("www.") ? String(host.dropFirst(4)) : host)
    }

    /// Reports that the shield is in front of the person. It is then counted, and its buttons can be pressed.
    private func show(_ host: String) async throws {
        showings += 1
        let request = ShieldShow.Request(
            subject: Self.subject(host),
            language: language,
            agent: "browser-host",
            wallMs: SystemTimeSource().now().wallMs
        )
        let options = CallOptions(
            timeoutMs: Self.lookMs,
            idempotencyKey: "shield-show/\(run)/\(showings)"
        )
        let reply = try await client.call(ShieldShow.self, request, options)
        guard let view = reply.view, let shield = reply.shield else { return }
        take(view, host)
        sites[host]?.shield = shield
        sites[host]?.presses = 0
    }

    private func take(_ view: ShieldLookView, _ host: String) {
        guard hosts.contains(host) else { return }
        var look = SystemLook.filled(view.look, name: host, language: language)
        look.icon = picture(look.icon)
        var site = sites[host] ?? Site()
        site.goodUntilMs = view.goodUntilMs
        let isNew = site.look != look
        site.look = look
        sites[host] = site
        guard isNew else { return }
        say(SiteWord(host: host, look: look))
        changed()
    }

    /// Returns the icon with its bytes, because a page can neither read files nor draw the named symbols.
    private func picture(_ icon: ShieldIcon?) -> ShieldIcon {
        let name = icon?.name ?? ""
        switch icon?.kind {
        case .data: if let icon { return icon }
        case .file:
            if name.hasSuffix(".png"), let bytes = try? AtomicFile.read(name, limitBytes: Self.iconBytesMax) {
                return ShieldIcon(kind: .data, data: Base64.encode(bytes), tint: icon?.tint)
            }
        case .system:
            let picture = HTMLSymbol.picture(of: name, tint: icon?.tint)
            return ShieldIcon(kind: .data, data: Base64.encode(Array(picture.utf8)))
        case .unknown, nil: break
        }
        let hourglass = HTMLSymbol.picture(of: "hourglass", tint: nil)
        return ShieldIcon(kind: .data, data: Base64.encode(Array(hourglass.utf8)))
    }

    func press(_ host: String, _ button: ShieldButton) async {
        do {
            guard covers(host) else { return }
            if sites[host]?.shield == nil { try await show(host) }
            guard let shield = sites[host]?.shield else { return }
            sites[host]?.presses += 1
            let request = ShieldPress.Request(
                shield: shield,
                button: button,
                press: sites[host]?.presses ?? 1,
                language: language
            )
            let reply = try await client.call(ShieldPress.self, request, CallOptions(timeoutMs: Self.lookMs))
            if let view = reply.view { take(view, host) }
            say(SiteWord(host: host, response: reply.response))
        } catch {
            // The button that closes the page works without a reply.
            if button == .primary { say(SiteWord(host: host, response: .close)) }
        }
    }
}

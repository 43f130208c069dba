import Glibc
import STContracts
import STPlatform
import STRendering
import STZeroMQ

/// A message to the extension about one host. The names of its properties are those that background.js reads.
struct SiteReport: WireBody, Codable, Equatable {
    var host: String
    /// The shield's appearance. `nil` if nothing shields the host, or if the message contains only a response.
    var look: ShieldAppearance?
    var response: ShieldResponse?
}

/// The shields of the sites that are open in a browser: shield-service's decisions, and pressed buttons.
actor SiteShields {
    private static let hostsMax = 200
    private static let timeout = Duration.seconds(2)
    private static let appearanceTimeout = Duration.seconds(10)
    /// Upper bound on the size of a picture. A larger one is not sent to the browser.
    private static let iconBytesMax = 96 * 1024

    private struct Site {
        /// The shield's appearance, which is loaded before the extension receives it. `nil` if nothing shields the site.
        var appearance: ShieldAppearance?
        var validUntil: WallTime?
        /// The id of the shield that was shown to the person, for its buttons.
        var shield: String?
        var presses: Int64 = 0
    }

    private let client: BusClient
    private let language: String?
    private let run = Identifier.make(wallMs: Stopwatch.bootMilliseconds())
    private let onReport: @Sendable (SiteReport) -> Void
    private var sites: [String: Site] = [:]
    private var hosts: [String] = []
    private var foregroundHost: String?
    private var isStale = false
    private var isRefreshing = false
    /// The timer for the end of granted time.
    private var grantEnd: LoopTimer?
    private var hasEnded = false
    private var showCount: Int64 = 0
    private var onChange: @Sendable () -> Void = {}
    private nonisolated let loop: BusLoop

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

    init(
        _ loop: BusLoop,
        _ client: BusClient,
        language: String?,
        say: @escaping @Sendable (SiteReport) -> Void
    ) {
        self.loop = loop
        self.client = client
        self.language = language
        self.onReport = say
    }

    /// Sets the function that is called when a shield appears or disappears.
    func setChangeHandler(_ changed: @escaping @Sendable () -> Void) {
        self.onChange = changed
        grantEnd = LoopTimer(loop.thread) { [weak self] in self?.assumeIsolated { $0.refresh() } }
    }

    /// Returns true if a shield covers the pages of a host.
    func isShielded(_ host: String?) -> Bool { host.flatMap { sites[$0]?.appearance } != nil }

    /// Sets the hosts of all tabs, and the foreground host.
    func open(_ hosts: [String], front: String?) {
        self.hosts = Array(hosts.prefix(Self.hostsMax))
        self.foregroundHost = front
        let open = Set(self.hosts)
        sites = sites.filter { open.contains($0.key) }
        refresh()
    }

    /// Refreshes all shields, because a policy has changed or time has passed.
    func refresh() {
        isStale = true
        guard !isRefreshing else { return }
        isRefreshing = true
        Task { await refreshAll() }
    }

    /// Removes all shields, because Screen Time has stopped. The shields return when it replies again.
    func end() {
        hasEnded = true
        for (host, site) in sites where site.appearance != nil { onReport(SiteReport(host: host)) }
        sites = sites.mapValues { _ in Site() }
    }

    func refreshAgain() {
        guard hasEnded else { return }
        hasEnded = false
        refresh()
    }

    private func refreshAll() async {
        while isStale {
            isStale = false
            for host in hosts where !isStale {
                guard !hasEnded, await refreshHost(host) else {
                    keepUncovered()
                    break
                }
            }
        }
        isRefreshing = false
    }

    /// Returns false if shield-service does not reply. Shields then stay unchanged.
    ///
    /// A host that is no valid site, for example an address, is not shielded.
    private func refreshHost(_ host: String) async -> Bool {
        do {
            try await refreshDecision(at: host)
            return true
        } catch {
            guard !Problem(error).retryable else { return false }
            if sites[host] == nil {
                sites[host] = Site()
                onReport(SiteReport(host: host))
            }
            return true
        }
    }

    /// Leaves new pages open, because they must not wait until Screen Time replies.
    private func keepUncovered() {
        for host in hosts where sites[host] == nil {
            sites[host] = Site()
            onReport(SiteReport(host: host))
        }
    }

    private func refreshDecision(at host: String) async throws {
        let subject = Self.subject(host)
        let options = CallOptions(timeoutMs: Self.timeout.ms)
        let word = try await client.call(ShieldDecide.self, .init(subject: subject), options: options)
        let decision = word.decision
        let now = SystemTimeSource().now().wall
        if let end = word.untilWallMs.map(WallTime.init) { grantEnd?.fire(afterMs: max(0, (end - now).ms)) }
        guard hosts.contains(host) else { return }
        guard decision.isShielded else {
            if let known = sites[host], known.appearance == nil { return }
            sites[host] = Site()
            onReport(SiteReport(host: host))
            return onChange()
        }
        let site = sites[host] ?? Site()
        let isStale = site.validUntil.map { $0 <= now } ?? false
        if host == foregroundHost, site.shield == nil {
            try await show(host)
        } else if site.appearance == nil || isStale {
            let request = ShieldConfigurationAsk.Request(subject: subject, language: language)
            let reply = try await client.call(
                ShieldConfigurationAsk.self,
                request,
                options: CallOptions(timeoutMs: Self.appearanceTimeout.ms)
            )
            if reply.decision.isShielded { apply(reply.view, host) }
        }
    }

    /// Returns the subject in the form of the usage records.
    private static func subject(_ host: String) -> ShieldSubject {
        ShieldSubject(domain: host.hasPrefix("www.") ? String(host.dropFirst(4)) : host)
    }

    /// Reports that the shield is in front of the person. It is then counted, and its buttons can be pressed.
    private func show(_ host: String) async throws {
        showCount += 1
        let request = ShieldShow.Request(
            subject: Self.subject(host),
            language: language,
            agent: "browser-host",
            wallMs: SystemTimeSource().now().wallMs
        )
        let options = CallOptions(
            timeoutMs: Self.appearanceTimeout.ms,
            idempotencyKey: "shield-show/\(run)/\(showCount)"
        )
        let reply = try await client.call(ShieldShow.self, request, options: options)
        guard let view = reply.view, let shield = reply.shield else { return }
        apply(view, host)
        sites[host]?.shield = shield
        sites[host]?.presses = 0
    }

    private func apply(_ view: ShieldAppearanceView, _ host: String) {
        guard hosts.contains(host) else { return }
        var look = SystemAppearance.filled(view.look, name: host, language: language)
        look.icon = picture(look.icon)
        var site = sites[host] ?? Site()
        site.validUntil = view.goodUntilMs.map(WallTime.init)
        let isNew = site.appearance != look
        site.appearance = look
        sites[host] = site
        guard isNew else { return }
        onReport(SiteReport(host: host, look: look))
        onChange()
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
            guard isShielded(host) else { return }
            if sites[host]?.shield == nil { try await show(host) }
            guard let shield = sites[host]?.shield else { return }
            sites[host]?.presses += 1
            let request = ShieldPress.Request(
                shield: shield,
                button: button,
                press: sites[host]?.presses ?? 1,
                language: language
            )
            let reply = try await client.call(
                ShieldPress.self,
                request,
                options: CallOptions(timeoutMs: Self.appearanceTimeout.ms)
            )
            if let view = reply.view { apply(view, host) }
            onReport(SiteReport(host: host, response: reply.response))
        } catch {
            // The button that closes the page works without a reply.
            if button == .primary { onReport(SiteReport(host: host, response: .close)) }
        }
    }
}

package import STContracts
package import STDesktop
import STDomain
package import STPlatform

/// Determines the foreground site from the reports of browsers and the foreground window.
///
/// Pure. A site counts only while the foreground window belongs to the process that reported the site.
package struct BrowserReports: Sendable {
    /// The time after which a report expires, because the browser has lost its extension or browser-host.
    static let timeout: Duration = .milliseconds(3 * BrowserReport.beatMs)
    /// The time for which the site of a new foreground window counts before the browser reports the focus. Browsers report it a
    /// little later than the display.
    static let grace: Duration = .milliseconds(150)
    static let processesMax = 64

    private struct Told {
        var version: String
        var site: String?
        var isShielded: Bool
        var isFocused: Bool
        var at: BootTime
    }

    private var reports: [Int32: Told] = [:]
    private var foreground: (window: WindowID, process: Int32, since: BootTime)?

    package init() {}

    /// Receives the report of a browser. `process` is the process of the browser itself.
    package mutating func receive(_ request: BrowserReport.Request, of process: Int32, at now: BootTime)
        throws
    {
        guard request.version.utf8.count <= BrowserReport.versionBytesMax else {
            throw Problem(
                "browse.bad_version",
                """
                The version of an extension must be at most \(BrowserReport.versionBytesMax, "bytes") bytes \
                long.
                """,
                field: "/version"
            )
        }
        let site = try request.host.map(Self.site)
        if reports[process] == nil, reports.count >= Self.processesMax,
            let oldest = reports.min(by: { $0.value.at < $1.value.at })
        {
            reports[oldest.key] = nil
        }
        reports[process] = Told(
            version: request.version,
            site: request.isPrivate ? nil : site,
            isShielded: request.shielded == true,
            isFocused: request.focused,
            at: now
        )
    }

    /// Receives the foreground window and the time since which it is in the foreground. A window without a known process
    /// counts as none.
    package mutating func setForeground(_ window: DesktopWindow?, at moment: BootTime) {
        guard window?.id != foreground?.window || window?.pid != foreground?.process else { return }
        foreground = window.flatMap { window in window.pid.map { (window.id, $0, moment) } }
    }

    package func site(at now: BootTime) -> (name: String, isShielded: Bool)? {
        guard let foreground, let told = reports[foreground.process],
            let ends = end(of: told, since: foreground.since),
            now < ends
        else { return nil }
        return told.site.map { ($0, told.isShielded) }
    }

    /// The boot time at which the foreground site expires, or nil if there is no foreground site.
    package func nextExpiry(after now: BootTime) -> BootTime? {
        guard let foreground, let told = reports[foreground.process], told.site != nil,
            let ends = end(of: told, since: foreground.since)
        else { return nil }
        return ends > now ? ends : nil
    }

    /// Returns the processes whose reports are still valid, with the versions of their extensions.
    package func reportingBrowsers(at now: BootTime) -> [Int32: String] {
        reports.filter { !$0.value.isFocused || now < $0.value.at + Self.timeout }.mapValues(\.version)
    }

    private func end(of told: Told, since: BootTime) -> BootTime? {
        told.isFocused ? told.at + Self.timeout : since + Self.grace
    }

    /// Returns the name of the site as the ledger stores it. Browsers already send international names in ASCII.
    private static func site(_ host: String) throws -> String {
        var name = DomainName.normal(host)
        if name.hasPrefix("www.") { name = String(name.dropFirst(4)) }
        let isHost = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            // An IPv6 address.
            case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"): true
            default: false
            }
        }
        guard isHost, !name.isEmpty, name.utf8.count <= DomainName.bytesMax else {
            throw Problem(
                "browse.bad_host",
                "Send only the host name of the page's address, in lower case, such as example.com.",
                field: "/host"
            )
        }
        return name
    }
}

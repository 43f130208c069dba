package import STContracts
import STPlatform

/// The identity of a look, computed from its content.
package struct AppearanceKey: Sendable, Hashable {
    private let hash: UInt64
    private let count: Int

    package init(_ look: ShieldAppearance) {
        let bytes = (try? look.encodedBody()) ?? []
        // If an app produces two looks with the same fingerprint, only its own shield shows the wrong picture.
        hash = Fingerprint(bytes).value
        count = bytes.count
    }
}

/// A look to show, with the key of its pictures.
struct DisplayedAppearance: Sendable {
    var appearance: ShieldAppearance
    var key: AppearanceKey

    /// The built-in look, for shields without a look of an app.
    static func system(_ name: String, language: String) -> DisplayedAppearance {
        let look = SystemAppearance.appearance(name: name, language: language)
        return DisplayedAppearance(appearance: look, key: AppearanceKey(look))
    }
}

/// A look from a reply of shield-service, and the time until which it is valid.
struct CachedAppearance: Sendable, Equatable {
    let view: ShieldAppearanceView
    let key: AppearanceKey
    /// The decision that shielded the app at the time of the reply.
    let status: ShieldStatus
    /// The boot time at which the content of the look becomes wrong.
    private var end: BootTime?
    private let answeredAt: BootTime

    /// The minimum time between two requests because the look has expired.
    private static let retryDelay: Duration = .seconds(10)
    /// The minimum time between two requests after a change of policy. It is shorter, because a person made the change and
    /// waits for it.
    private static let changeDelay: Duration = .seconds(1)

    init(_ view: ShieldAppearanceView, _ word: ShieldStatus, at now: TimeReading) {
        self.view = view
        key = AppearanceKey(view.look)
        self.status = word
        answeredAt = now.boot
        guard let wallMs = view.goodUntilMs else { return }
        let (restMs, isFar) = wallMs.subtractingReportingOverflow(now.wallMs)
        guard !isFar else { return }
        let (untilMs, isNever) = now.bootMs.addingReportingOverflow(max(Self.retryDelay.ms, restMs))
        end = isNever ? nil : BootTime(ms: untilMs)
    }

    var displayed: DisplayedAppearance { DisplayedAppearance(appearance: view.look, key: key) }

    /// Returns the boot time at which the look must be requested again under this decision, or nil if only an event can
    /// make it wrong.
    func expiry(_ now: ShieldStatus) -> BootTime? {
        let change = status.policy == now.policy ? nil : answeredAt + Self.changeDelay
        return [change, end].compactMap(\.self).min()
    }

    /// Returns the opaque background colour of a cover without a picture.
    static func background(_ look: CachedAppearance?, _ appearance: DrawAppearance) -> UInt32 {
        let isDark = appearance == .dark
        let base: UInt32 = isDark ? 0xFF1C_1C1E : 0xFFF2_F2F7
        guard let color = look?.view.look.background else { return base }
        return opaque(isDark ? color.dark : color.light, over: base) ?? base
    }

    /// Returns a colour of the form `#RRGGBBAA` over an opaque colour, or nil for any other text.
    private static func opaque(_ text: String, over base: UInt32) -> UInt32? {
        guard text.utf8.count == 9, text.first == "#", let value = UInt32(text.dropFirst(), radix: 16) else {
            return nil
        }
        let alpha = value & 0xFF
        func channel(_ shift: UInt32) -> UInt32 {
            let above = (value >> (shift + 8)) & 0xFF
            let below = (base >> shift) & 0xFF
            return (above * alpha + below * (255 - alpha)) / 255
        }
        return 0xFF00_0000 | channel(16) << 16 | channel(8) << 8 | channel(0)
    }
}

/// The last look of each shielded app. With it the next shield is painted before shield-service replies.
struct AppearanceCache: Sendable {
    static let appearancesMax = 64
    /// Upper bound on the size of the looks, because they may contain icons.
    static let bytesMax = 2 << 20

    private var appearances: [String: (look: CachedAppearance, bytes: Int, used: Int64)] = [:]
    private var bytes = 0
    private var uses: Int64 = 0

    var count: Int { appearances.count }

    subscript(app: String) -> CachedAppearance? { appearances[app]?.look }

    mutating func add(_ look: CachedAppearance, app: String) {
        let size = 512 + (look.view.look.icon?.data?.utf8.count ?? 0)
        bytes += size - (appearances[app]?.bytes ?? 0)
        uses += 1
        appearances[app] = (look, size, uses)
        while appearances.count > 1, appearances.count > Self.appearancesMax || bytes > Self.bytesMax,
            let oldest = appearances.min(by: { $0.value.used < $1.value.used })
        {
            bytes -= oldest.value.bytes
            appearances[oldest.key] = nil
        }
    }
}

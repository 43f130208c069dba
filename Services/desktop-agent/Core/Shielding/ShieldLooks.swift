package import STContracts
import STPlatform

/// A look by its content.
package struct LookKey: Sendable, Hashable {
    private let hash: UInt64
    private let count: Int

    package init(_ look: ShieldLook) {
        let bytes = (try? look.encodedBody()) ?? []
        // An app that makes two looks with one fingerprint misleads only about itself.
        hash = Fingerprint(bytes).value
        count = bytes.count
    }
}

/// What can be seen of a shield, and what pictures of it are known by.
struct ShownLook: Sendable {
    var look: ShieldLook
    var key: LookKey

    /// The system's own, where no app says what its shield looks like.
    static func system(_ name: String, language: String) -> ShownLook {
        let look = SystemLook.look(name: name, language: language)
        return ShownLook(look: look, key: LookKey(look))
    }
}

/// A look as shield-service answered it, and how long it stays right.
struct KnownLook: Sendable, Equatable {
    let view: ShieldLookView
    let key: LookKey
    /// What shielded the app when this was answered.
    let word: ShieldWord
    /// By boot time: from then on it says something that is not so any more.
    private var untilMs: Int64?
    private let answeredMs: Int64

    /// However often it changes, it is not asked for more often.
    private static let againMs: Int64 = 10_000
    /// The same of changes of policy, which a person has made and waits for.
    private static let changedMs: Int64 = 1_000

    init(_ view: ShieldLookView, _ word: ShieldWord, at now: TimeReading) {
        self.view = view
        key = LookKey(view.look)
        self.word = word
        answeredMs = now.bootMs
        guard let wallMs = view.goodUntilMs else { return }
        let (restMs, isFar) = wallMs.subtractingReportingOverflow(now.wallMs)
        guard !isFar else { return }
        let (untilMs, isNever) = now.bootMs.addingReportingOverflow(max(Self.againMs, restMs))
        self.untilMs = isNever ? nil : untilMs
    }

    var shown: ShownLook { ShownLook(look: view.look, key: key) }

    /// From when on it has to be asked for anew, under this word; nil: it is right until something happens.
    func staleMs(_ now: ShieldWord) -> Int64? {
        let changedMs = word.policy == now.policy ? nil : answeredMs + Self.changedMs
        return [changedMs, untilMs].compactMap(\.self).min()
    }

    /// The colour that is there before any picture, and lets nothing through.
    static func background(_ look: KnownLook?, _ appearance: DrawAppearance) -> UInt32 {
        let isDark = appearance == .dark
        let base: UInt32 = isDark ? 0xFF1C_1C1E : 0xFFF2_F2F7
        guard let color = look?.view.look.background else { return base }
        return opaque(isDark ? color.dark : color.light, over: base) ?? base
    }

    /// `#RRGGBBAA` over a colour that lets nothing through; nil for anything else.
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

/// The last look of each app that was shielded: a second shield is painted before shield-service answers.
struct LookShelf: Sendable {
    static let looksMax = 64
    /// Icons may be in them.
    static let bytesMax = 2 << 20

    private var looks: [String: (look: KnownLook, bytes: Int, used: Int64)] = [:]
    private var bytes = 0
    private var uses: Int64 = 0

    var count: Int { looks.count }

    subscript(app: String) -> KnownLook? { looks[app]?.look }

    mutating func add(_ look: KnownLook, app: String) {
        let size = 512 + (look.view.look.icon?.data?.utf8.count ?? 0)
        bytes += size - (looks[app]?.bytes ?? 0)
        uses += 1
        looks[app] = (look, size, uses)
        while looks.count > 1, looks.count > Self.looksMax || bytes > Self.bytesMax,
            let oldest = looks.min(by: { $0.value.used < $1.value.used })
        {
            bytes -= oldest.value.bytes
            looks[oldest.key] = nil
        }
    }
}

import STContracts
import STDesktop
import STPlatform

/// Paints the covers. A picture that exists is shown immediately, and missing ones are ordered one at a time.
struct ShieldPainter: Sendable {
    static let drawAgainMs: Int64 = 5_000
    static let earlyMax = 4
    private static let failedMax = 64
    /// Upper bound on the bytes of all pictures on covers.
    private static let paintedBytesMax = 256 << 20

    private typealias Wanted = (key: PictureKey, request: DrawRequest)

    private(set) var gallery = ShieldGallery()
    private var drawing: PictureKey?
    /// The pictures that could not be drawn, with the boot time before which they are not ordered again.
    private var failed: [PictureKey: Int64] = [:]
    /// Pictures that are drawn before they are needed.
    private var early: [Wanted] = []

    var earlyCount: Int { early.count }

    var dueMs: [Int64] { Array(failed.values) }

    /// Shows the pictures that exist, and orders the next one. The cover over `front` comes first.
    mutating func paint(
        _ apps: [String: ShieldedApp],
        front: WindowID?,
        _ covers: inout ShieldCovers,
        _ round: inout ShieldRound
    ) {
        failed = failed.filter { $0.value > round.now.bootMs }
        var painted = covers.paintedBytes
        var wanted: Wanted?
        for pane in covers.up(first: front) {
            guard let app = apps[pane.app], let size = pane.size, let next = picture(of: app, size, round),
                pane.painted != next.key
            else { continue }
            // Large pictures on all covers of a large screen would need too much memory.
            if painted > Self.paintedBytesMax, pane.id != front.flatMap({ covers[$0]?.id }) { continue }
            if let picture = gallery.picture(next.key) {
                painted += picture.bytes - pane.paintedBytes
                covers.paint(pane.id, next.key, bytes: picture.bytes)
                round.act(.paint(pane.id, picture.onPane(size.scale)))
            } else if wanted == nil, failed[next.key] == nil {
                wanted = next
            }
        }
        guard drawing == nil, let next = wanted ?? nextEarly() else { return }
        drawing = next.key
        round.order(.draw(next.key, next.request))
    }

    private mutating func nextEarly() -> Wanted? {
        while !early.isEmpty {
            let next = early.removeFirst()
            if !gallery.holds(next.key), failed[next.key] == nil { return next }
        }
        return nil
    }

    /// Orders pictures of an app that will probably be shielded soon, in the probable size of its cover.
    mutating func prepare(
        _ seen: SeenWindow,
        _ id: String,
        known: KnownLook?,
        _ covers: ShieldCovers,
        _ round: ShieldRound
    ) {
        guard let size = Self.size(of: seen.window, covers.lastSize, round) else { return }
        let name = seen.app?.name ?? id
        if let known { early.append(Self.picture(known.shown, name, size, nil, round)) }
        early.append(Self.picture(.system(name, language: round.settings.language), name, size, nil, round))
        if early.count > Self.earlyMax { early.removeFirst(early.count - Self.earlyMax) }
    }

    /// Receives the result of a drawing. A failure is added to the steps of `apps`.
    mutating func hear(
        _ result: Result<ShieldPicture, Problem>,
        of key: PictureKey,
        _ apps: some Sequence<String>,
        _ round: inout ShieldRound
    ) {
        if drawing == key { drawing = nil }
        switch result {
        case .success(let picture):
            let gone = round.isStopping ? [picture.path] : gallery.add(picture, key)
            if !gone.isEmpty { round.order(.forget(gone)) }
        case .failure(let problem):
            if failed.count >= Self.failedMax { failed = [:] }
            failed[key] = round.now.bootMs + Self.drawAgainMs
            let text = Message(
                "agent.picture-not-drawn",
                "Screen Time could not draw the shield: \(problem.text, "problem")"
            )
            for app in apps { round.step(app, text) }
        }
    }

    mutating func clear(_ round: inout ShieldRound) {
        let paths = gallery.removeAll()
        if !paths.isEmpty { round.order(.forget(paths)) }
    }

    // MARK: - Choice of the picture

    /// Returns the picture of a shield, or nil while its look is unknown.
    private func picture(of app: ShieldedApp, _ size: PaneSize, _ round: ShieldRound) -> Wanted? {
        let own = app.face.shown(round.settings.language).map {
            Self.picture($0, app.title, size, app, round)
        }
        if let own, failed[own.key] == nil { return own }
        // If the app's own picture cannot be drawn, the built-in look is shown. Before the look is known, the built-in look is
        // shown if its picture exists already, because it is better than a colour.
        let look = ShownLook.system(app.title, language: round.settings.language)
        let system = Self.picture(look, app.title, size, own == nil ? nil : app, round)
        return own != nil || gallery.holds(system.key) ? system : nil
    }

    private static func picture(
        _ look: ShownLook,
        _ name: String,
        _ size: PaneSize,
        _ app: ShieldedApp?,
        _ round: ShieldRound
    ) -> Wanted {
        let settings = round.settings
        let more = app?.controls.more(round)
        let focus = app?.controls.focus
        let isMenuOpen = app?.controls.isMenuOpen ?? false
        let key = PictureKey(
            look: look.key,
            name: name,
            width: size.width,
            height: size.height,
            scale: size.scale,
            appearance: settings.appearance,
            language: settings.language,
            focus: focus,
            isMenuOpen: isMenuOpen,
            more: more?.label,
            note: more?.note
        )
        let request = DrawRequest(
            look: look.look,
            name: name,
            width: size.width,
            height: size.height,
            scale: size.scale,
            appearance: settings.appearance,
            language: settings.language,
            focus: focus.flatMap { ShieldButton(rawValue: $0) },
            isMenuOpen: isMenuOpen ? true : nil,
            more: more,
            format: .argb32,
            output: "-"
        )
        return (key, request)
    }

    /// Returns the probable size of the cover over a window.
    private static func size(of window: DesktopWindow, _ last: PaneSize?, _ round: ShieldRound) -> PaneSize? {
        guard let frame = window.frame, !frame.isEmpty else { return last }
        let scale = last?.scale ?? round.scene.outputs.first?.scale ?? 1
        let factor = round.settings.framesArePixels ? 1 : scale
        let width = Int((Double(frame.width) * factor).rounded())
        let height = Int((Double(frame.height) * factor).rounded())
        guard (DrawLimits.sideMin...DrawLimits.sideMax).contains(width),
            (DrawLimits.sideMin...DrawLimits.sideMax).contains(height)
        else { return nil }
        return PaneSize(width: width, height: height, scale: scale)
    }
}

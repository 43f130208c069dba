import STContracts
import STDesktop
import STPlatform

/// Paints the covers. A picture that exists is shown immediately, and missing ones are ordered one at a time.
struct ShieldPainter: Sendable {
    static let drawRetry: Duration = .seconds(5)
    static let prefetchMax = 4
    private static let failedMax = 64
    /// Upper bound on the bytes of all pictures on covers.
    private static let paintedBytesMax = 256 << 20

    private typealias Wanted = (key: PictureKey, request: DrawRequest)

    private(set) var pictures = ShieldPictureCache()
    private var drawing: PictureKey?
    /// The pictures that could not be drawn, with the boot time before which they are not ordered again.
    private var failed: [PictureKey: BootTime] = [:]
    /// Pictures that are drawn before they are needed.
    private var prefetched: [Wanted] = []

    var prefetchCount: Int { prefetched.count }

    var dueTimes: [BootTime] { Array(failed.values) }

    /// Shows the pictures that exist, and orders the next one. The cover over `front` comes first.
    mutating func paint(
        _ apps: [String: ShieldedApp],
        front: WindowID?,
        covers: inout ShieldCovers,
        round: inout ShieldContext
    ) {
        failed = failed.filter { $0.value > round.now.boot }
        var painted = covers.paintedBytes
        var wanted: Wanted?
        for pane in covers.visiblePanes(first: front) {
            guard let app = apps[pane.app], let size = pane.size, let next = picture(of: app, size, round),
                pane.painted != next.key
            else { continue }
            // Large pictures on all covers of a large screen would need too much memory.
            if painted > Self.paintedBytesMax, pane.id != front.flatMap({ covers[$0]?.id }) { continue }
            if let picture = pictures.picture(next.key) {
                painted += picture.bytes - pane.paintedBytes
                covers.markPainted(pane.id, next.key, bytes: picture.bytes)
                round.addAction(.paint(pane.id, picture.panePicture(size.scale)))
            } else if wanted == nil, failed[next.key] == nil {
                wanted = next
            }
        }
        guard drawing == nil, let next = wanted ?? nextPrefetch() else { return }
        drawing = next.key
        round.addEffect(.draw(next.key, next.request))
    }

    private mutating func nextPrefetch() -> Wanted? {
        while !prefetched.isEmpty {
            let next = prefetched.removeFirst()
            if !pictures.contains(next.key), failed[next.key] == nil { return next }
        }
        return nil
    }

    /// Orders pictures of an app that will probably be shielded soon, in the probable size of its cover.
    mutating func prepare(
        _ seen: IdentifiedWindow,
        id: String,
        known: CachedAppearance?,
        covers: ShieldCovers,
        round: ShieldContext
    ) {
        guard let size = Self.size(of: seen.window, covers.lastSize, round) else { return }
        let name = seen.app?.name ?? id
        if let known {
            prefetched.append(Self.picture(known.displayed, name: name, size: size, app: nil, round: round))
        }
        prefetched.append(
            Self.picture(
                .system(name, language: round.settings.language),
                name: name,
                size: size,
                app: nil,
                round: round
            )
        )
        if prefetched.count > Self.prefetchMax { prefetched.removeFirst(prefetched.count - Self.prefetchMax) }
    }

    /// Receives the result of a drawing. A failure is added to the steps of `apps`.
    mutating func hear(
        _ result: Result<ShieldPicture, Problem>,
        of key: PictureKey,
        apps: some Sequence<String>,
        round: inout ShieldContext
    ) {
        if drawing == key { drawing = nil }
        switch result {
        case .success(let picture):
            let gone = round.isStopping ? [picture.path] : pictures.add(picture, key)
            if !gone.isEmpty { round.addEffect(.forget(gone)) }
        case .failure(let problem):
            if failed.count >= Self.failedMax { failed = [:] }
            failed[key] = round.now.boot + Self.drawRetry
            let text = Message(
                "agent.picture-not-drawn",
                "Screen Time could not draw the shield: \(problem.text, "problem")"
            )
            for app in apps { round.recordStep(app, text) }
        }
    }

    mutating func clear(_ round: inout ShieldContext) {
        let paths = pictures.removeAll()
        if !paths.isEmpty { round.addEffect(.forget(paths)) }
    }

    // MARK: - Choice of the picture

    /// Returns the picture of a shield, or nil while its look is unknown.
    private func picture(of app: ShieldedApp, _ size: PaneSize, _ round: ShieldContext) -> Wanted? {
        let own = app.presentation.displayedAppearance(round.settings.language).map {
            Self.picture($0, name: app.title, size: size, app: app, round: round)
        }
        if let own, failed[own.key] == nil { return own }
        // If the app's own picture cannot be drawn, the built-in look is shown. Before the look is known, the built-in look is
        // shown if its picture exists already, because it is better than a colour.
        let look = DisplayedAppearance.system(app.title, language: round.settings.language)
        let system = Self.picture(
            look,
            name: app.title,
            size: size,
            app: own == nil ? nil : app,
            round: round
        )
        return own != nil || pictures.contains(system.key) ? system : nil
    }

    private static func picture(
        _ look: DisplayedAppearance,
        name: String,
        size: PaneSize,
        app: ShieldedApp?,
        round: ShieldContext
    ) -> Wanted {
        let settings = round.settings
        let more = app?.controls.moreTimeButton(round)
        let focus = app?.controls.focus
        let isMenuOpen = app?.controls.isMenuOpen ?? false
        let key = PictureKey(
            appearanceKey: look.key,
            name: name,
            width: size.width,
            height: size.height,
            scale: size.scale,
            appearance: settings.appearance,
            language: settings.language,
            focus: focus,
            isMenuOpen: isMenuOpen,
            moreTime: more?.label,
            note: more?.note
        )
        let request = DrawRequest(
            look: look.appearance,
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
    private static func size(of window: DesktopWindow, _ last: PaneSize?, _ round: ShieldContext) -> PaneSize?
    {
        guard let frame = window.frame, !frame.isEmpty else { return last }
        let scale = last?.scale ?? round.desktop.outputs.first?.scale ?? 1
        let factor = round.settings.framesArePixels ? 1 : scale
        let width = Int((Double(frame.width) * factor).rounded())
        let height = Int((Double(frame.height) * factor).rounded())
        guard (DrawLimits.sideMin...DrawLimits.sideMax).contains(width),
            (DrawLimits.sideMin...DrawLimits.sideMax).contains(height)
        else { return nil }
        return PaneSize(width: width, height: height, scale: scale)
    }
}

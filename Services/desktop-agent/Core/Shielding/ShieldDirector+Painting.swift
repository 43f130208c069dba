import STContracts
import STDesktop
import STPlatform

/// Pictures: painted where they are there, ordered one at a time where they are not.
extension ShieldDirector {
    mutating func paint() {
        failedPictures = failedPictures.filter { $0.value > now.bootMs }
        if isStopping {
            let paths = gallery.removeAll()
            if !paths.isEmpty { order(.forget(paths)) }
            return
        }
        let focused = front.window.flatMap { paneOfWindow[$0] }
        var painted = panes.values.reduce(0) { $0 + ($1.isMapped ? $1.paintedBytes : 0) }
        var wanted: (key: PictureKey, request: DrawRequest)?
        let open = panes.values.filter { $0.isMapped && !$0.isClosing }.sorted {
            ($0.id == focused ? 0 : 1, $0.id.rawValue) < ($1.id == focused ? 0 : 1, $1.id.rawValue)
        }
        for pane in open {
            guard let app = apps[pane.app], let size = pane.size, let next = picture(of: app, size) else {
                continue
            }
            guard pane.painted != next.key else { continue }
            // All of a large screen full of large pictures would be too much of the machine's memory.
            let isTooMuch = pane.id != focused && painted > Self.paintedBytesMax
            if isTooMuch { continue }
            if let picture = gallery.picture(next.key) {
                painted += picture.bytes - pane.paintedBytes
                put(picture, next.key, on: pane.id, size.scale)
            } else if wanted == nil, failedPictures[next.key] == nil {
                wanted = next
            }
        }
        guard drawing == nil, let next = wanted ?? nextEarly() else { return }
        drawing = next.key
        order(.draw(next.key, next.request))
    }

    private mutating func nextEarly() -> (key: PictureKey, request: DrawRequest)? {
        while !early.isEmpty {
            let next = early.removeFirst()
            if !gallery.holds(next.key), failedPictures[next.key] == nil { return next }
        }
        return nil
    }

    private mutating func put(_ picture: ShieldPicture, _ key: PictureKey, on id: PaneID, _ scale: Double) {
        panes[id]?.painted = key
        panes[id]?.paintedBytes = picture.bytes
        let spots = picture.spots.map(\.paneSpot)
        act(
            .paint(
                id,
                PanePicture(
                    path: picture.path,
                    width: picture.width,
                    height: picture.height,
                    scale: scale,
                    spots: spots
                )
            )
        )
    }

    /// The picture that a pane wants; nil while nobody knows what it looks like.
    private func picture(of app: ShieldedApp, _ size: PaneSize) -> (
        key: PictureKey, request: DrawRequest
    )? {
        let name = app.name ?? app.id
        guard let look = look(of: app) else {
            // Better than a colour, if it is there already.
            let system = systemLook(name)
            let early = picture(system, name, size, app: nil)
            return gallery.holds(early.key) ? early : nil
        }
        let own = picture(look, name, size, app: app)
        guard failedPictures[own.key] != nil else { return own }
        // What cannot be drawn is not what anybody should look at.
        return picture(systemLook(name), name, size, app: app)
    }

    private func picture(
        _ look: (look: ShieldLook, key: LookKey),
        _ name: String,
        _ size: PaneSize,
        app: ShieldedApp?
    ) -> (key: PictureKey, request: DrawRequest) {
        let more = app.flatMap { self.more(of: $0) }
        let key = PictureKey(
            look: look.key,
            name: name,
            width: size.width,
            height: size.height,
            scale: size.scale,
            appearance: settings.appearance,
            language: settings.language,
            focus: app?.focus,
            isMenuOpen: app?.isMenuOpen ?? false,
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
            focus: app?.focus.flatMap { ShieldButton(rawValue: $0) },
            isMenuOpen: app?.isMenuOpen == true ? true : nil,
            more: more,
            format: .argb32,
            output: "-"
        )
        return (key, request)
    }

    mutating func hear(_ result: Result<ShieldPicture, Problem>, of key: PictureKey) {
        if drawing == key { drawing = nil }
        switch result {
        case .success(let picture):
            guard !isStopping else { return order(.forget([picture.path])) }
            let gone = gallery.add(picture, key)
            if !gone.isEmpty { order(.forget(gone)) }
        case .failure(let problem):
            if failedPictures.count >= Self.failedPicturesMax { failedPictures = [:] }
            failedPictures[key] = now.bootMs + Self.drawAgainMs
            for id in apps.keys { step(id, "Its picture was not drawn: \(problem.message)") }
        }
    }

    /// Before an app may be shielded: what it would look like is drawn in the size that its cover would have.
    mutating func prepare(_ id: String) {
        guard apps[id] == nil, let seen = scene.windows(of: id).first(where: { $0.window.isShown }) else {
            return
        }
        guard let size = size(of: seen.window) else { return }
        let name = seen.app?.name ?? id
        if let known = shelf[id] {
            early.append(picture((known.view.look, known.key), name, size, app: nil))
        }
        early.append(picture(systemLook(name), name, size, app: nil))
        if early.count > 4 { early.removeFirst(early.count - 4) }
    }

    /// As its cover will most likely be told to be.
    private func size(of window: DesktopWindow) -> PaneSize? {
        guard let frame = window.frame, !frame.isEmpty else { return lastSize }
        let scale = lastSize?.scale ?? scene.outputs.first?.scale ?? 1
        let factor = settings.framesArePixels ? 1 : scale
        let width = Int((Double(frame.width) * factor).rounded())
        let height = Int((Double(frame.height) * factor).rounded())
        guard (DrawLimits.sideMin...DrawLimits.sideMax).contains(width),
            (DrawLimits.sideMin...DrawLimits.sideMax).contains(height)
        else { return nil }
        return PaneSize(width: width, height: height, scale: scale)
    }
}

package import STContracts
package import STDesktop

/// One pane of a panel: opens when there is something to show, is drawn anew when that changes, closes when it is over.
///
/// One drawing at a time; what changes meanwhile is drawn once, afterwards, in its last form.
struct PanelPane: Sendable {
    let id: PaneID
    private(set) var wanted: PanelContent?
    private(set) var isOpen = false
    /// The screen would not have it; it is tried again with the next thing to show.
    private var hasFailed = false
    private(set) var size: PaneSize?
    /// What can be pressed on the picture that is there.
    private(set) var spots: [DrawnSpot] = []
    private var shown: DrawPanelRequest?
    private var drawing: (ticket: Int64, request: DrawPanelRequest)?
    private var file: String?
    /// Whether a picture of what it is open for is on the screen.
    var isPainted: Bool { file != nil }
    private var tickets: Int64 = 0

    init(_ id: PaneID) { self.id = id }

    /// Shows it, or nothing.
    mutating func show(_ content: PanelContent?) -> [PanelOrder] {
        wanted = content
        guard let content else {
            hasFailed = false
            return close(isGone: false)
        }
        guard !hasFailed else { return [] }
        guard isOpen else {
            isOpen = true
            let order = PaneOrder(
                id: id,
                place: content.place,
                background: content.background,
                name: content.name,
                takesKeys: content.takesKeys
            )
            return [.screen([.openPane(order)])]
        }
        return draw()
    }

    mutating func take(_ event: PaneEvent) -> [PanelOrder] {
        guard isOpen else { return [] }
        switch event {
        case .shown(let width, let height, let scale, _):
            let size = PaneSize(width: width, height: height, scale: scale)
            // Told again because its picture is wanted again.
            shown = nil
            self.size = size
            return draw()
        case .failed:
            hasFailed = true
            return close(isGone: true)
        case .hidden, .hovered, .pressed, .key, .held: return []
        }
    }

    /// Nil: it could not be drawn.
    ///
    /// Then what was there stays until something changes; a panel that has never had a picture goes, because it
    /// could not be read, nor closed.
    mutating func drawn(ticket: Int64, path: String, answer: DrawPanelAnswer?) -> [PanelOrder] {
        guard let drawing, drawing.ticket == ticket else { return [.forget([path])] }
        self.drawing = nil
        guard isOpen else { return [.forget([path])] }
        guard let answer else {
            shown = drawing.request
            let next = draw()
            guard next.isEmpty, file == nil else { return [.forget([path])] + next }
            hasFailed = true
            return [.forget([path])] + close(isGone: false)
        }
        var orders: [PanelOrder] = []
        shown = drawing.request
        let picture = PanePicture(
            path: path,
            width: answer.width,
            height: answer.height,
            scale: drawing.request.scale ?? 1,
            spots: answer.spots.reversed().map(\.paneSpot)
        )
        spots = answer.spots
        orders.append(.screen([.paint(id, picture)]))
        // What is on the screen lives on there without its name.
        if let file { orders.append(.forget([file])) }
        file = path
        return orders + draw()
    }

    /// The display is gone, and every pane with it.
    mutating func lose() -> [PanelOrder] {
        hasFailed = false
        return close(isGone: true)
    }

    private mutating func draw() -> [PanelOrder] {
        guard isOpen, let wanted, let size, drawing == nil else { return [] }
        var request = wanted.drawing
        request.width = size.width
        request.height = size.height
        request.scale = size.scale
        guard request != shown else { return [] }
        tickets += 1
        drawing = (tickets, request)
        return [.draw(id, request, ticket: tickets)]
    }

    private mutating func close(isGone: Bool) -> [PanelOrder] {
        guard isOpen else { return [] }
        isOpen = false
        size = nil
        spots = []
        shown = nil
        drawing = nil
        var orders: [PanelOrder] = isGone ? [] : [.screen([.closePane(id)])]
        if let file { orders.append(.forget([file])) }
        file = nil
        return orders
    }
}

/// What a panel shows: where, under which name, and everything of the drawing but its size and its file.
package struct PanelContent: Sendable, Equatable {
    package var place: PaneOrder.Place
    /// What assistive technology calls it.
    package var name: String
    package var takesKeys: Bool
    package var drawing: DrawPanelRequest

    package init(place: PaneOrder.Place, name: String, takesKeys: Bool, drawing: DrawPanelRequest) {
        self.place = place
        self.name = name
        self.takesKeys = takesKeys
        self.drawing = drawing
    }

    /// Until the first picture is there.
    var background: UInt32 { drawing.appearance == .dark ? 0xFF26_262A : 0xFFFB_FBFD }
}

package import STContracts
package import STDesktop

/// One pane of a panel. It opens if there is content, is drawn again after each change of the content, and closes if there is none.
///
/// One drawing runs at a time. All changes during a drawing result in one more drawing, of the latest content.
struct PanelPane: Sendable {
    let id: PaneID
    private(set) var targetContent: PanelContent?
    private(set) var isOpen = false
    /// True after the screen refused the pane or its first drawing failed. The pane stays closed until there was no content once.
    private var hasFailed = false
    private(set) var size: PaneSize?
    /// The controls of the visible picture.
    private(set) var spots: [DrawnSpot] = []
    private var displayed: DrawPanelRequest?
    private var drawing: (ticket: Int64, request: DrawPanelRequest)?
    private var file: String?
    /// True if the pane shows a picture.
    var isPainted: Bool { file != nil }
    private var tickets: Int64 = 0

    init(_ id: PaneID) { self.id = id }

    /// Shows the content, or closes the pane if it is nil.
    mutating func show(_ content: PanelContent?) -> [PanelEffect] {
        targetContent = content
        guard let content else {
            hasFailed = false
            return close(isGone: false)
        }
        guard !hasFailed else { return [] }
        guard isOpen else {
            isOpen = true
            let order = PaneRequest(
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

    mutating func handle(_ event: PaneEvent) -> [PanelEffect] {
        guard isOpen else { return [] }
        switch event {
        case .shown(let width, let height, let scale, _):
            let size = PaneSize(width: width, height: height, scale: scale)
            // The screen repeats this event if it needs the picture again.
            displayed = nil
            self.size = size
            return draw()
        case .failed:
            hasFailed = true
            return close(isGone: true)
        case .hidden, .hovered, .pressed, .key, .held: return []
        }
    }

    /// Receives the result of a drawing. `answer` is nil if the drawing failed.
    ///
    /// After a failure the previous picture stays until the content changes. A panel without any picture closes, because a person
    /// could neither read nor close it.
    mutating func drawingDidFinish(ticket: Int64, path: String, answer: DrawPanelAnswer?) -> [PanelEffect] {
        guard let drawing, drawing.ticket == ticket else { return [.forget([path])] }
        self.drawing = nil
        guard isOpen else { return [.forget([path])] }
        guard let answer else {
            displayed = drawing.request
            let next = draw()
            guard next.isEmpty, file == nil else { return [.forget([path])] + next }
            hasFailed = true
            return [.forget([path])] + close(isGone: false)
        }
        var orders: [PanelEffect] = []
        displayed = drawing.request
        let picture = PanePicture(
            path: path,
            width: answer.width,
            height: answer.height,
            scale: drawing.request.scale ?? 1,
            spots: answer.spots.reversed().map(\.paneSpot)
        )
        spots = answer.spots
        orders.append(.screen([.paint(id, picture)]))
        // The visible picture remains valid after its file name is deleted.
        if let file { orders.append(.forget([file])) }
        file = path
        return orders + draw()
    }

    /// Handles the loss of the display, which closes every pane.
    mutating func fail() -> [PanelEffect] {
        hasFailed = false
        return close(isGone: true)
    }

    private mutating func draw() -> [PanelEffect] {
        guard isOpen, let targetContent, let size, drawing == nil else { return [] }
        var request = targetContent.drawing
        request.width = size.width
        request.height = size.height
        request.scale = size.scale
        guard request != displayed else { return [] }
        tickets += 1
        drawing = (tickets, request)
        return [.draw(id, request, ticket: tickets)]
    }

    private mutating func close(isGone: Bool) -> [PanelEffect] {
        guard isOpen else { return [] }
        isOpen = false
        size = nil
        spots = []
        displayed = nil
        drawing = nil
        var orders: [PanelEffect] = isGone ? [] : [.screen([.closePane(id)])]
        if let file { orders.append(.forget([file])) }
        file = nil
        return orders
    }
}

/// The content of a panel: its place, its name, and its drawing without the size and the file.
package struct PanelContent: Sendable, Equatable {
    package var place: PaneRequest.Place
    /// The name for assistive technology.
    package var name: String
    package var takesKeys: Bool
    package var drawing: DrawPanelRequest

    package init(place: PaneRequest.Place, name: String, takesKeys: Bool, drawing: DrawPanelRequest) {
        self.place = place
        self.name = name
        self.takesKeys = takesKeys
        self.drawing = drawing
    }

    /// The colour of the pane until the first picture is ready.
    var background: UInt32 { drawing.appearance == .dark ? 0xFF26_262A : 0xFFFB_FBFD }
}

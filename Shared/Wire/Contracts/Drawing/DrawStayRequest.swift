/// One line of what `screentime-draw --stay` reads: exactly one of the three drawings.
///
/// JSON without line breaks, ended by one. Lines are answered in their order.
package struct DrawStayRequest: WireBody, Codable, Equatable {
    /// Chosen by whoever asks; the answer has it again.
    package var number: Int64
    package var shield: DrawRequest?
    package var page: DrawPageRequest?
    package var panel: DrawPanelRequest?

    package init(
        number: Int64,
        shield: DrawRequest? = nil,
        page: DrawPageRequest? = nil,
        panel: DrawPanelRequest? = nil
    ) {
        self.number = number
        self.shield = shield
        self.page = page
        self.panel = panel
    }
}

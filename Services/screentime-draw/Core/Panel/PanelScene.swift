package import STContracts
package import STPlatform

/// A panel to be drawn.
package struct PanelScene {
    package var request: DrawPanelRequest
    /// To be drawn on: of that size, and empty; nil makes one.
    package var canvas: Canvas?

    package init(_ request: DrawPanelRequest) { self.request = request }

    package var scale: Double { request.scale ?? 1 }
    package var face: DrawAppearance { request.appearance }

    package func check() throws(Problem) {
        try SceneCheck.check(
            width: request.width,
            height: request.height,
            scale: scale,
            appearance: request.appearance
        )
        guard request.kind != .unknown else {
            throw Problem(
                "draw.bad_kind",
                "The kind of a panel is countdown, question or warning.",
                field: "/kind"
            )
        }
    }
}

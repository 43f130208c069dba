import STContracts
import STDrawing

/// Loads fonts before anybody asks for a picture.
enum Warming {
    static func run() {
        for language in [nil, "ko"] {
            var scene = ShieldScene(
                look: SystemLook.look(name: "Firefox", language: language),
                width: 320,
                height: 240
            )
            scene.language = language
            _ = try? ShieldDrawing.draw(scene)
        }
    }
}

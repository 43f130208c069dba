import STPlatform

/// The one sentence about blindness, wherever it is said.
package enum SightText {
    package static func blind(_ reason: String) -> String {
        "Nothing on this screen can be seen. \(DisplayWidth.harmless(reason))"
    }
}

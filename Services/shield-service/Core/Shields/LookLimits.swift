/// What an app's own look may be.
package enum LookLimits {
    /// Of a picture within the answer, as bytes.
    package static let iconDataBytes = 128 * 1024
    /// Of a picture in the app's bundle.
    package static let iconFileBytes: Int64 = 8 << 20
    /// In either direction; a small file may say that it is a huge picture.
    package static let iconPixels = 4_096
    package static let textBytes = 1_000
    package static let textLines = 10
    package static let nameBytes = 200
    /// Further ones are not shown, as on a phone.
    package static let submenu = 3

    /// Apple's names of the styles of a blur.
    package static let blurs: Set<String> = {
        let materials = ["UltraThin", "Thin", "", "Thick", "Chrome"].map { "system\($0)Material" }
        let all = materials.flatMap { [$0, $0 + "Light", $0 + "Dark"] }
        return Set(all + ["extraLight", "light", "dark", "extraDark", "regular", "prominent"])
    }()
}

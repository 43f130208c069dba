/// A device whose use may be a call or a recording.
package struct RecordingDevice: Sendable, Equatable {
    package enum Kind: Sendable {
        case camera
        case microphone
    }

    package var kind: Kind
    /// How its path begins; digits follow, and perhaps `D` and digits.
    package var prefix: String
    /// How it ends.
    package var suffix: String

    package init(_ kind: Kind, prefix: String, suffix: String = "") {
        self.kind = kind
        self.prefix = prefix
        self.suffix = suffix
    }

    package static let linux = [
        RecordingDevice(.camera, prefix: "/dev/video"),
        RecordingDevice(.microphone, prefix: "/dev/snd/pcmC", suffix: "c"),
    ]

    func matches(_ path: String) -> Bool {
        guard path.utf8.count > prefix.utf8.count + suffix.utf8.count, path.hasPrefix(prefix),
            path.hasSuffix(suffix)
        else { return false }
        return path.dropFirst(prefix.count).dropLast(suffix.count).allSatisfy { $0.isNumber || $0 == "D" }
    }
}

package import STPlatform

/// Where apps keep their things: below the state directory, one folder per group and one per app.
package struct StateFolders: Sendable {
    package static let nameBytesMax = 128

    /// Nil, and told once, when there is no place for state at all.
    package static let current: StateFolders? = {
        do {
            return StateFolders(state: try Directories.state(from: ProcessEnvironment.current()))
        } catch {
            FrameworkLog.storage.error("nothing can be kept: \(error)")
            return nil
        }
    }()

    package let state: String

    package init(state: String) { self.state = state }

    /// The folder that an app shares with its extensions; made when it is first asked for.
    package func group(_ name: String) throws(Problem) -> String { try folder("groups", name, "group") }

    /// The folder of one app, which its extensions share.
    package func app(_ name: String) throws(Problem) -> String { try folder("apps", name, "app") }

    /// Where the defaults of a group or an app are.
    package static func defaults(in folder: String, _ name: String) -> String {
        "\(folder)/Library/Preferences/\(name).plist"
    }

    private func folder(_ kind: String, _ name: String, _ what: String) throws(Problem) -> String {
        guard Self.isName(name) else {
            throw Problem(
                "\(what).bad_name",
                "“\(name.prefix(40))” cannot name \(what == "app" ? "an app" : "a group"): use 1 to "
                    + "\(Self.nameBytesMax) letters, digits, dots, dashes and underscores"
            )
        }
        let path = "\(state)/\(kind)/\(name)"
        try Directories.prepare(path)
        return path
    }

    /// What cannot lead anywhere else.
    private static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        guard (1...nameBytesMax).contains(bytes.count), name != ".", name != ".." else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

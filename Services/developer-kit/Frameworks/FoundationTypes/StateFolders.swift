public import Foundation
package import STPlatform

/// Where apps keep their files: below the state directory, one folder per group and one per app.
package struct StateFolders: Sendable {
    package static let nameBytesMax = 128

    /// Nil, with one line in the log, when there is no state directory.
    package static let current: StateFolders? = {
        do {
            return StateFolders(state: try Directories.state(from: ProcessEnvironment.current()))
        } catch {
            FrameworkLog.storage.error("nothing can be stored: \(error)")
            return nil
        }
    }()

    package let state: String

    package init(state: String) { self.state = state }

    /// The folder that an app shares with its extensions; created when it is first needed.
    package func group(_ name: String) throws(Problem) -> String { try folder("groups", name, "group") }

    /// The folder of one app, which its extensions share.
    package func app(_ name: String) throws(Problem) -> String { try folder("apps", name, "app") }

    /// The defaults file of a group or an app.
    package static func defaults(in folder: String, _ name: String) -> String {
        "\(folder)/Library/Preferences/\(name).plist"
    }

    private func folder(_ kind: String, _ name: String, _ what: String) throws(Problem) -> String {
        guard Self.isName(name) else {
            throw Problem(
                "\(what).bad_name",
                text: what == "app"
                    ? Message(
                        "app.bad_name.of-a-folder",
                        """
                        “\(name.prefix(40), "name")” is not a valid app name: use 1 to \
                        \(Self.nameBytesMax, "most") letters, digits, dots, dashes and underscores
                        """
                    )
                    : Message(
                        "group.bad_name.of-a-folder",
                        """
                        “\(name.prefix(40), "name")” is not a valid group name: use 1 to \
                        \(Self.nameBytesMax, "most") letters, digits, dots, dashes and underscores
                        """
                    )
            )
        }
        let path = "\(state)/\(kind)/\(name)"
        try Directories.prepare(path)
        return path
    }

    /// Only names that cannot lead to another folder.
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

/// The identity of this process to the services: the app's id and the member it works for.
package struct AppIdentity: Sendable, Equatable {
    package static let current = AppIdentity(
        environment: ProcessEnvironment.current(),
        executable: CommandLine.arguments.first ?? ""
    )

    package let app: String
    /// Nil means the owner of the computer.
    package let member: String?

    /// `SCREENTIME_APP`, else the name of the program's file.
    package init(environment: [String: String], executable: String) {
        let named = environment["SCREENTIME_APP"].flatMap { $0.isEmpty ? nil : $0 }
        let file = executable.split(separator: "/").last.map(String.init) ?? ""
        app = named ?? (file.isEmpty ? "app" : file)
        member = environment["SCREENTIME_MEMBER"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension FileManager {
    /// Creates the folder; nil, with the reason in the log, when the identifier cannot name a group.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        do {
            guard let folder = try StateFolders.current?.group(groupIdentifier) else { return nil }
            return URL(filePath: folder, directoryHint: .isDirectory)
        } catch {
            FrameworkLog.storage.error("containerURL: \(error)")
            return nil
        }
    }
}

/// Objective-C's name for a whole number.
public typealias NSInteger = Int

/// Objective-C's name for a whole number that is not negative.
public typealias NSUInteger = UInt

/// Runs the closure; there is no pool to drain on Linux.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

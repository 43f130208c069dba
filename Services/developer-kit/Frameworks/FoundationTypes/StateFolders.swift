public import Foundation
package import STPlatform

/// The folders for the files of apps. The state directory contains one folder per group and one per app.
package struct StateFolders: Sendable {
    package static let nameBytesMax = 128

    /// The folders of this process. `nil`, with an entry in the log, if there is no state directory.
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

    /// Returns the folder that an app shares with its extensions. Creates it if necessary.
    package func group(_ name: String) throws(Problem) -> String {
        try folder("groups", name: name, of: "group")
    }

    /// Returns the folder of one app, shared with its extensions. Creates it if necessary.
    package func app(_ name: String) throws(Problem) -> String { try folder("apps", name: name, of: "app") }

    /// Returns the path of the defaults file of a group or an app.
    package static func defaults(in folder: String, _ name: String) -> String {
        "\(folder)/Library/Preferences/\(name).plist"
    }

    private func folder(_ kind: String, name: String, of what: String) throws(Problem) -> String {
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

    /// Returns true for a valid name, which cannot lead to another folder.
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

/// The identity of this process in requests to the services: the app's id and the member for whom it runs.
package struct AppIdentity: Sendable, Equatable {
    package static let current = AppIdentity(
        environment: ProcessEnvironment.current(),
        executable: CommandLine.arguments.first ?? ""
    )

    package let app: String
    /// The id of the member. `nil` means the owner of the computer.
    package let member: String?

    /// Reads the identity. The id is the value of `SCREENTIME_APP`, or else the file name of the program.
    package init(environment: [String: String], executable: String) {
        let named = environment["SCREENTIME_APP"].flatMap { $0.isEmpty ? nil : $0 }
        let file = executable.split(separator: "/").last.map(String.init) ?? ""
        app = named ?? (file.isEmpty ? "app" : file)
        member = environment["SCREENTIME_MEMBER"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension FileManager {
    /// Returns the folder of a group and creates it if necessary. Returns `nil`, with the reason in the log, if the identifier is
    /// not a valid name.
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

/// Objective-C's signed integer.
public typealias NSInteger = Int

/// Objective-C's unsigned integer.
public typealias NSUInteger = UInt

/// Runs the closure. Linux has no autorelease pool.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

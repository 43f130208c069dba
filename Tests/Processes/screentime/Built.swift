import Glibc
import STPlatform

/// What the build made: the folder of the executables, and the source tree.
enum Built {
    /// Beside the test bundle, whose path is among the runner's arguments, else the debug build of the source tree.
    static let folder: String = {
        let parents = CommandLine.arguments.compactMap { argument in
            argument.lastIndex(of: "/").map { String(argument[..<$0]) }
        }
        let bundled = parents.flatMap { parent in
            // …/debug/X.xctest, or a file inside of it.
            [parent, parent.lastIndex(of: "/").map { String(parent[..<$0]) } ?? parent]
        }
        let all = bundled + ["\(tree)/.build/debug"]
        return all.first { access("\($0)/auth-service", X_OK) == 0 && access("\($0)/screentime", X_OK) == 0 }
            ?? "\(tree)/.build/debug"
    }()

    static let tree: String = {
        var parts = #filePath.split(separator: "/")
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    static var screentime: String { folder + "/screentime" }
}

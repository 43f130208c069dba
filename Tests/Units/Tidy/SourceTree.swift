import Foundation
import STTestSupport

/// The source tree that this test was built from.
struct SourceTree {
    struct File {
        var path: String
        var text: String

        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        var isTest: Bool { path.hasPrefix("Tests/") }
    }

    let root: URL

    static let here = SourceTree(root: URL(filePath: BuiltTree.root))

    /// The files in folders with this name ending, by path.
    func files(_ folders: [String], ending: String) throws -> [File] {
        var found: [File] = []
        for folder in folders {
            let start = root.appending(path: folder)
            guard let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil) else {
                continue
            }
            for case let url as URL in walk where url.lastPathComponent.hasSuffix(ending) {
                let path = String(url.path.dropFirst(root.path.count + (root.path.hasSuffix("/") ? 0 : 1)))
                found.append(File(path: path, text: try String(contentsOf: url, encoding: .utf8)))
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    func swift() throws -> [File] { try files(["Services", "Shared", "Tests"], ending: ".swift") }

    func product() throws -> [File] { try files(["Services", "Shared"], ending: ".swift") }

    /// The sources of the services' rules. The command and the developer kit are clients of the services and are excluded.
    func cores() throws -> [File] {
        try product().filter { file in
            file.path.contains("/Core/")
                && !["Services/screentime/", "Services/developer-kit/"].contains(where: file.path.hasPrefix)
        }
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

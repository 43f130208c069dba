import Glibc

/// Finds the folders of data that belong to the programs.
package enum ProductFolder {
    private static let parentsMax = 6

    /// The folder `deploy/NAME` of a source tree above the build folder, or `share/screentime/NAME` beside an installed `bin`.
    package static func find(_ name: String, near binaries: String? = ProcFile.ownFolder()) -> String? {
        guard let binaries else { return nil }
        var parent = Substring(binaries)
        for depth in 0..<parentsMax {
            let folder = "\(parent)/deploy/\(name)"
            if access(folder, R_OK | X_OK) == 0 { return folder }
            guard let slash = parent.lastIndex(of: "/") else { return nil }
            parent = parent[..<slash]
            let shared = "\(parent)/share/screentime/\(name)"
            if depth == 0, access(shared, R_OK | X_OK) == 0 { return shared }
        }
        return nil
    }
}

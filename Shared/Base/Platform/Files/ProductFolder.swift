import Glibc

/// Finds the data folders of Screen Time's programs.
package enum ProductFolder {
    private static let parentsMax = 6

    /// The installed package's data, for programs in other folders, such as those of app developers.
    private static let installed = "/usr/lib/screentime/share/screentime"

    /// Returns the folder `deploy/NAME` of a source tree above the build folder, or `share/screentime/NAME` beside an installed
    /// `bin`. If neither exists, returns the folder of the installed package, or `nil` if that does not exist either.
    ///
    /// The folder must contain `file`.
    package static func find(
        _ name: String,
        with file: String,
        near binaries: String? = ProcFile.ownFolder()
    ) -> String? {
        guard let binaries else { return nil }
        var parent = Substring(binaries)
        for depth in 0..<parentsMax {
            let folder = "\(parent)/deploy/\(name)"
            if access("\(folder)/\(file)", R_OK) == 0 { return folder }
            guard let slash = parent.lastIndex(of: "/") else { break }
            parent = parent[..<slash]
            let shared = "\(parent)/share/screentime/\(name)"
            if depth == 0, access("\(shared)/\(file)", R_OK) == 0 { return shared }
        }
        let folder = "\(installed)/\(name)"
        return access("\(folder)/\(file)", R_OK) == 0 ? folder : nil
    }
}

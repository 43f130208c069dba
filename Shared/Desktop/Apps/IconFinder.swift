import Glibc
import STPlatform

/// Finds the picture file of an icon, by the names of the icon theme hicolor, into which every program installs.
struct IconFinder {
    /// Upper bound on the size of a picture file. Larger files are ignored and never opened, because pictures are drawn small.
    static let bytesMax = 1024 * 1024
    private static let pathMax = 1024
    private static let endings = [".png", ".svg"]
    /// Icon sizes in order of preference. Those close to the size on a shield come first, and lists scale the picture down.
    private static let sizes = [
        "128x128", "96x96", "256x256", "scalable", "64x64", "512x512", "72x72", "48x48", "32x32",
    ]
    private static let shared = [
        "/usr/", "/opt/", "/snap/", "/var/lib/flatpak/", "/var/lib/snapd/", "/nix/", "/gnu/",
    ]

    private let folders: [(path: String, isOwn: Bool)]
    private let roots: [String]
    private let ownRoots: [String]

    /// `data`: the folders that contain `applications`, `icons` and `pixmaps`.
    init(data: [(path: String, isOwn: Bool)], home: String?) {
        var folders: [(path: String, isOwn: Bool)] = []
        for folder in data {
            folders += Self.sizes.map { ("\(folder.path)/icons/hicolor/\($0)/apps", folder.isOwn) }
            folders.append(("\(folder.path)/pixmaps", folder.isOwn))
        }
        self.folders = folders.filter { access($0.path, X_OK) == 0 }
        let real = { (path: String) in DirectoryTree.real(path).map { $0 + "/" } }
        roots = Self.shared + data.filter { !$0.isOwn }.compactMap { real($0.path) }
        ownRoots = data.filter(\.isOwn).compactMap { real($0.path) } + [home.flatMap(real)].compactMap(\.self)
    }

    /// Returns the path of a picture. `icon` is the value of a desktop entry: a name or an absolute path.
    func path(of icon: String, isOwn: Bool) -> String? {
        if icon.hasPrefix("/") { return usable(icon, isOwn: isOwn) }
        // An icon name must not contain a path.
        guard !icon.contains("/"), icon != ".", icon != ".." else { return nil }
        let names = Self.isPicture(icon) ? [icon] : Self.endings.map { icon + $0 }
        for folder in folders where isOwn || !folder.isOwn {
            for name in names {
                if let found = usable("\(folder.path)/\(name)", isOwn: isOwn) { return found }
            }
        }
        return nil
    }

    /// Returns the path if it leads to a picture file of an acceptable size, in a folder of pictures, after all links were
    /// resolved.
    private func usable(_ path: String, isOwn: Bool) -> String? {
        var info = stat()
        guard path.utf8.count < Self.pathMax, Self.isPicture(path), stat(path, &info) == 0,
            info.st_mode & S_IFMT == S_IFREG, info.st_size > 0, info.st_size <= Self.bytesMax,
            access(path, R_OK) == 0, let real = DirectoryTree.real(path)
        else { return nil }
        let isReachable =
            roots.contains(where: real.hasPrefix) || isOwn && ownRoots.contains(where: real.hasPrefix)
        return isReachable ? path : nil
    }

    private static func isPicture(_ name: String) -> Bool {
        [".png", ".svg", ".xpm", ".jpg", ".jpeg"].contains { name.hasSuffix($0) }
    }
}

import Glibc
import STDomain
import STPlatform

/// Finds the programs that desktop entries start. The catalogue does this when it reads the entries, so that no lookup is necessary
/// when windows open.
struct ProgramFinder {
    /// Folders that contain many unrelated programs. Two programs in the same one need not belong together.
    static let sharedFolders: Set<String> = [
        "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/games",
        "/usr/local/games", "/snap/bin", "/var/lib/flatpak/exports/bin", "/usr/lib", "/usr/libexec",
        "/usr/share",
        "/opt", "/tmp", "/home", "/usr/lib64", "/app/bin", "/app", "/",
    ]
    /// Folders that contain the files of larger programs.
    private static let libraries = ["/usr/lib", "/usr/lib64", "/usr/share", "/opt"]
    private let path: [String]
    private let home: String?

    init(environment: [String: String]) {
        let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let usual = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/games", "/usr/games"]
        home = environment["HOME"]
        self.path = (usual + path.filter { $0.hasPrefix("/") && !usual.contains($0) }).prefix(40).map(\.self)
    }

    func start(_ command: DesktopCommand) -> AppStart {
        var start = AppStart(
            name: ProgramName.base(command.program),
            interpreter: command.interpreter.map(ProgramName.base),
            steamGame: command.steamGame,
            isWebApp: command.isWebApp
        )
        guard let real = real(command.program) else { return start }
        let name = ProgramName.base(real)
        start.files = files(of: real)
        start.isScript = isScript(real)
        if name != start.name { start.realName = name }
        let folder = ProgramName.folder(real)
        if !Self.sharedFolders.contains(folder), folder != home, folder != home.map({ $0 + "/bin" }),
            folder != home.map({ $0 + "/.local/bin" })
        {
            start.folder = folder
        }
        return start
    }

    /// Returns the installed program at this path, and the programs that a start script with its name usually runs.
    private func files(of path: String) -> [ProgramFile] {
        let name = ProgramName.base(path)
        guard !ProgramName.isInterpreter(name) else { return [] }
        return ([path] + Self.libraries.map { "\($0)/\(name)/\(name)" }).compactMap { path in
            var info = stat()
            guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_uid == 0 else {
                return nil
            }
            return ProgramFile(path: path, bytes: Int64(info.st_size))
        }
    }

    private func isScript(_ path: String) -> Bool {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { return false }
        let owned = OwnedDescriptor(number)
        var bytes: [UInt8] = [0, 0]
        return read(owned.number, &bytes, 2) == 2 && bytes == Array("#!".utf8)
    }

    private func real(_ program: String) -> String? {
        let candidates =
            program.hasPrefix("/") ? [program] : program.contains("/") ? [] : path.map { "\($0)/\(program)" }
        return candidates.lazy.filter { $0.utf8.count < 1024 }.compactMap(DirectoryTree.real).first
    }
}

import Glibc
import STCommandCore
import STContracts
import STDesktop
import STDomain
import STPlatform

/// `screentime protect accept`: allows a program in a child's folder to have its own limits.
enum AcceptCommand {
    static func run(_ invocation: Invocation) throws -> ExitCode {
        let file = Directories.acceptedPrograms
        let known = AcceptedPrograms(Protection.text(of: file)).paths
        guard let path = invocation.subjects.first else { return list(known, invocation) }
        try Protection(invocation.environment).require()
        let isUndone = invocation.has("--undo")
        let accepted = isUndone ? try without(path, known) : try adding(path, known)
        let folder = ProgramName.folder(file)
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw SystemError.last("mkdir") }
        try AtomicFile.write(Array(accepted.map { "\($0)\n" }.joined().utf8), to: file, mode: 0o644)
        return list(accepted, invocation)
    }

    private static func list(_ paths: [String], _ invocation: Invocation) -> ExitCode {
        invocation.show(json: JSONOutput.pretty(.array(paths.map { .string($0) }))) {
            paths.isEmpty
                ? [
                    Speech.say("protect.no-programs-have-been", "No programs have been accepted.")
                ] : paths
        }
    }

    private static func without(_ path: String, _ known: [String]) throws(Problem) -> [String] {
        guard known.contains(path) else {
            throw Problem(
                "protect.not_accepted",
                "\(path, "path") is not in the list of accepted programs.",
                help: "screentime protect accept"
            )
        }
        return known.filter { $0 != path }
    }

    private static func adding(_ path: String, _ known: [String]) throws(Problem) -> [String] {
        guard path.hasPrefix("/"), path.isPlain, let real = DirectoryTree.real(path), real != "/" else {
            throw Problem(
                "usage.bad_path",
                "“\(path, "path")” is not the absolute path of a program or a folder on this computer.",
                help: "sudo screentime protect accept /home/ben/.local/share/Steam"
            )
        }
        return known.contains(real) ? known : known + [real]
    }
}

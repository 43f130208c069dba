import Glibc

extension Directories {
    /// Makes a directory that only we can enter, with its parents, and checks that it is what it must be.
    ///
    /// The check matters most under /tmp, where anyone could have made it first.
    package static func prepare(_ directory: String) throws(Problem) {
        var path = directory.hasPrefix("/") ? "" : "."
        for name in directory.split(separator: "/") {
            path += "/" + name
            // EEXIST is the usual case, and a read-only parent that exists is no problem: the check below tells.
            if mkdir(path, 0o700) != 0 && errno != EEXIST {
                let number = errno
                var about = stat()
                guard stat(path, &about) == 0 else { throw failure(directory, path, number) }
            }
        }
        try check(directory)
    }

    private static func check(_ directory: String) throws(Problem) {
        var about = stat()
        guard lstat(directory, &about) == 0 else { throw failure(directory, directory, errno) }
        let kind = about.st_mode & S_IFMT
        if kind == S_IFLNK {
            throw Problem(
                "directory.is_link",
                "\(directory) is a symbolic link, which could lead anywhere; remove it, or name its target instead"
            )
        }
        guard kind == S_IFDIR else { throw failure(directory, directory, ENOTDIR) }
        guard about.st_uid == geteuid() else {
            throw Problem(
                "directory.not_ours",
                "\(directory) belongs to uid \(about.st_uid), and this process runs as uid \(geteuid()); "
                    + "remove it, or choose another place with SCREENTIME_RUN and SCREENTIME_STATE"
            )
        }
        // A group may look in (a system install is 0750), but whoever can write could replace a socket.
        guard about.st_mode & 0o027 == 0 else {
            throw Problem(
                "directory.too_open",
                "\(directory) can be used by others (mode \(octal(about.st_mode & 0o7777)))",
                help: "chmod 700 \(directory)"
            )
        }
    }

    private static func failure(_ directory: String, _ path: String, _ number: Int32) -> Problem {
        let (code, advice) =
            switch number {
            case ENOTDIR, EEXIST: ("directory.in_the_way", "a file is in the way at \(path); move it away")
            case EACCES, EPERM:
                (
                    "directory.not_permitted",
                    "this user may not make \(path); correct its parent's owner or mode"
                )
            case EROFS:
                ("directory.read_only", "the file system of \(path) is read-only; choose another place")
            case ENOSPC, EDQUOT: ("directory.disk_full", "there is no space left for \(path); free some")
            case ENAMETOOLONG: ("path.too_long", "the path is too long; choose a shorter one")
            default: ("directory.failed", "\(path): \(SystemError.text(number))")
            }
        return Problem(
            code,
            "cannot use the directory \(directory): \(advice)",
            details: ["errno": String(number)]
        )
    }

    private static func octal(_ mode: mode_t) -> String { "0" + String(mode, radix: 8) }
}

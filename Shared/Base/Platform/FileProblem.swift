import Glibc

/// What to tell a person when a file cannot be used.
enum FileProblem {
    static func make(_ verb: String, _ path: String, _ number: Int32) -> Problem {
        let (code, advice) =
            switch number {
            case ENOENT: ("file.not_found", "it does not exist")
            case EACCES, EPERM: ("file.not_permitted", "this user may not; correct its owner or mode")
            case ENOSPC, EDQUOT: ("file.disk_full", "there is no space left; free some")
            case EROFS: ("file.read_only", "the file system is read-only; choose another place")
            case EISDIR: ("file.is_directory", "a directory is in the way; move it away")
            case ELOOP: ("file.is_link", "it is a symbolic link; remove it, or name its target instead")
            case EMFILE, ENFILE:
                ("file.too_many_open", "too many files are open; raise the limit or end processes")
            default: ("file.failed", SystemError.text(number))
            }
        return Problem(code, "cannot \(verb) \(path): \(advice)", details: ["errno": String(number)])
    }
}

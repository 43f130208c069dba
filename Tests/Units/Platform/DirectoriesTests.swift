import Glibc
import STTestSupport
import Testing

@testable import STPlatform

@Suite("Directories")
struct DirectoriesTests {
    fileprivate func code(_ work: () throws -> Void) -> String? {
        #expect(throws: Problem.self) { try work() }?.code
    }

    @Test(
        "The state directory needs no home directory if SCREENTIME_STATE is set, and is rejected without both"
    )
    func state() throws {
        #expect(try Directories.state(from: ["SCREENTIME_STATE": "/b"]) == "/b")
        #expect(code { _ = try Directories.state(from: [:]) } == "path.no_home")
    }

    @Test("Directories come from SCREENTIME variables first, then from XDG, then from the home directory")
    func order() throws {
        let home = try Directories.from(environment: ["HOME": "/h"])
        let xdg = try Directories.from(environment: [
            "HOME": "/h", "XDG_RUNTIME_DIR": "/r", "XDG_STATE_HOME": "/s/", "XDG_CONFIG_HOME": "relative",
        ])
        let own = try Directories.from(environment: [
            "SCREENTIME_RUN": "/a", "SCREENTIME_STATE": "/b", "SCREENTIME_CONFIG": "/c",
            "XDG_RUNTIME_DIR": "/r",
        ])

        #expect(home.run == "/tmp/screentime-\(geteuid())")
        #expect(home.state == "/h/.local/state/screentime")
        #expect(home.config == "/h/.config/screentime/config")
        #expect(
            xdg
                == Directories(
                    run: "/r/screentime",
                    state: "/s/screentime",
                    config: "/h/.config/screentime/config"
                )
        )
        #expect(own == Directories(run: "/a", state: "/b", config: "/c"))
        #expect(own.log(service: "notifier") == "/b/logs/notifier.log")
        #expect(own.database(service: "notifier") == "/b/notifier/notifier.sqlite")
    }

    @Test("A relative path and a missing home directory are rejected")
    func refusals() {
        #expect(
            code { _ = try Directories.from(environment: ["SCREENTIME_RUN": "run"]) } == "path.not_absolute"
        )
        #expect(code { _ = try Directories.from(environment: [:]) } == "path.no_home")
    }

    @Test("A socket path of 107 bytes is accepted, and one of 108 bytes is rejected")
    func longPath() throws {
        let fits = Directories(run: "/" + String(repeating: "x", count: 100), state: "", config: "")
        let long = Directories(run: "/" + String(repeating: "x", count: 101), state: "", config: "")

        #expect(try fits.endpoint(service: "s", .rpc).utf8.count == 107)
        #expect(code { _ = try long.endpoint(service: "s", .rpc) } == "path.too_long")
    }

    @Test("A directory is created with its parents and mode 0700, and can be prepared again")
    func prepare() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a/b/c")

        try Directories.prepare(path)
        try Directories.prepare(path)

        var about = stat()
        #expect(lstat(path, &about) == 0)
        #expect(about.st_mode & 0o777 == 0o700)
    }

    @Test("A directory is rejected if it is open to others, if it is a link, or if a file has its path")
    func unsafe() throws {
        let scratch = try ScratchDirectory()
        let open = scratch.file("open")
        mkdir(open, 0o700)
        chmod(open, 0o755)
        symlink("/tmp", scratch.file("link"))
        try AtomicFile.write([1], to: scratch.file("file"))

        let problem = #expect(throws: Problem.self) { try Directories.prepare(open) }
        #expect(problem?.code == "directory.too_open")
        #expect(problem?.help == "chmod 700 \(open)")
        #expect(code { try Directories.prepare(scratch.file("link")) } == "directory.is_link")
        #expect(code { try Directories.prepare(scratch.file("file")) } == "directory.in_the_way")
        #expect(code { try Directories.prepare(scratch.file("file/below")) } == "directory.in_the_way")
        chmod(open, 0o750)
        try Directories.prepare(open)
    }

    @Test("A path's file system is that of the nearest mount, or of the last one if several are equal")
    func mounts() throws {
        let mounts = """
            22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/root rw
            30 22 0:30 / /home rw,relatime shared:2 master:1 - nfs4 server:/export/home rw,vers=4.2
            31 30 0:31 / /home/anna/my\\040disk rw - fuse.sshfs anna@host: rw
            32 30 8:1 / /home/local rw - xfs /dev/sda1 rw
            33 22 0:32 / /var/lib rw - tmpfs tmpfs rw
            34 22 8:2 / /var/lib rw - btrfs /dev/sdb rw
            broken - line
            """
        for (path, kind) in [
            ("/", "ext4"), ("/homes/x", "ext4"), ("/home", "nfs4"),
            ("/home/anna/.local/state/screentime", "nfs4"),
            ("/home/anna/my disk/state", "fuse.sshfs"), ("/home/local/ben", "xfs"),
            ("/home/localhost", "nfs4"),
            ("/var/lib/screentime", "btrfs"),
        ] { #expect(NetworkFolder.kind(of: path, in: mounts) == kind, "\(path)") }
        #expect(NetworkFolder.kind(of: "/home", in: "") == nil)
        try NetworkFolder.refuse(try ScratchDirectory().path)
    }
}

@Suite(
    "Directories of another account",
    .enabled(if: RootAccount.isHere, "needs root: gives a directory away")
)
struct DirectoriesRootTests {
    @Test("A directory that belongs to another account is rejected")
    func foreign() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("theirs")
        mkdir(path, 0o700)
        chown(path, RootAccount.other, RootAccount.other)

        #expect(DirectoriesTests().code { try Directories.prepare(path) } == "directory.not_ours")
    }
}

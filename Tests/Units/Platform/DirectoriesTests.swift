import Glibc
import STPlatform
import STTestSupport
import Testing

@Suite("Directories")
struct DirectoriesTests {
    private func code(_ work: () throws -> Void) -> String? {
        #expect(throws: Problem.self) { try work() }?.code
    }

    @Test("an extension gets its state directory alone, and needs no home")
    func state() throws {
        #expect(try Directories.state(from: ["SCREENTIME_STATE": "/b"]) == "/b")
        #expect(code { _ = try Directories.state(from: [:]) } == "path.no_home")
    }

    @Test("come from our own variables first, then from XDG, then from the home directory")
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

    @Test("refuse a relative path and a missing home directory")
    func refusals() {
        #expect(
            code { _ = try Directories.from(environment: ["SCREENTIME_RUN": "run"]) } == "path.not_absolute"
        )
        #expect(code { _ = try Directories.from(environment: [:]) } == "path.no_home")
    }

    @Test("refuse a socket path that a unix socket cannot have, at the very byte")
    func longPath() throws {
        let fits = Directories(run: "/" + String(repeating: "x", count: 100), state: "", config: "")
        let long = Directories(run: "/" + String(repeating: "x", count: 101), state: "", config: "")

        #expect(try fits.endpoint(service: "s", .rpc).utf8.count == 107)
        #expect(code { _ = try long.endpoint(service: "s", .rpc) } == "path.too_long")
    }

    @Test("are made with their parents, for us alone, and may be there already")
    func prepare() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a/b/c")

        try Directories.prepare(path)
        try Directories.prepare(path)

        var about = stat()
        #expect(lstat(path, &about) == 0)
        #expect(about.st_mode & 0o777 == 0o700)
    }

    @Test("are refused when others may use them, when they are a link, or when a file is in the way")
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

    @Test(
        "are refused when another account owns them",
        .enabled(if: geteuid() == 0, "only root can give one away")
    )
    func foreign() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("theirs")
        mkdir(path, 0o700)
        chown(path, 65534, 65534)

        #expect(code { try Directories.prepare(path) } == "directory.not_ours")
    }
}

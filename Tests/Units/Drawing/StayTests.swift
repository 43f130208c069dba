import Glibc
import STContracts
import STDrawing
import STPlatform
import STTestSupport
import Testing

@Suite("The program screentime-draw with --stay", .timeLimit(.minutes(5)))
struct StayTests {
    private let scratch: ScratchDirectory
    private let program: DrawingProgram

    init() throws {
        scratch = try ScratchDirectory()
        program = DrawingProgram(scratch: scratch)
    }

    private func shield(_ number: Int64, _ change: (inout DrawRequest) -> Void = { _ in }) throws -> [UInt8] {
        var request = DrawRequest(
            look: Looks.korean,
            width: 320,
            height: 240,
            language: "ko",
            format: .argb32,
            output: scratch.file("\(number).argb32")
        )
        change(&request)
        return try DrawSessionRequest(number: number, shield: request).encodedBody() + [0x0A]
    }

    private func answers(_ bytes: [UInt8]) throws -> [DrawSessionReply] {
        let run = try program.run(bytes: bytes, ["--stay"])
        #expect(run.status.isSuccess)
        return try run.output.split(separator: 0x0A).map { try DrawSessionReply.decodedBody(Array($0)) }
    }

    @Test("Each line is answered in order, with the same picture as a single drawing")
    func many() throws {
        var random = RandomPage(seed: 3, isMild: true)
        let page = DrawPageRequest(page: PageBench.page(random.nodes()), output: scratch.file("page.png"))
        var panel = Panels.countdown("ko", "5분")
        panel.output = scratch.file("panel.argb32")
        panel.format = .argb32
        let lines = try [
            shield(1), DrawSessionRequest(number: 2, panel: panel).encodedBody() + [0x0A],
            DrawSessionRequest(number: 3, page: page).encodedBody() + [0x0A], shield(4),
        ]
        let said = try answers(lines.flatMap { $0 })
        #expect(said.map(\.number) == [1, 2, 3, 4])
        #expect(said[0].shield?.buttons.count == 2 && said[1].panel?.bytes == 232 * 48 * 4)
        #expect(said.allSatisfy { $0.problem == nil })
        var scene = Looks.scene(Looks.korean, width: 320, height: 240)
        scene.name = nil
        scene.language = "ko"
        let alone = try ShieldDrawing.draw(scene).canvas.argb32()
        for number in [1, 4] {
            #expect(try AtomicFile.read(scratch.file("\(number).argb32"), limitBytes: 1 << 20) == alone)
        }
    }

    @Test("A bad line is answered with a problem and does not affect the next lines")
    func bad() throws {
        let lines: [[UInt8]] = try [
            Array("no json\n".utf8), Array("{\"number\":7}\n".utf8), Array("\n".utf8),
            shield(8) { $0.width = 0 },
            shield(9) { $0.output = "-" }, shield(10) { $0.output = "relative" },
            [UInt8](repeating: 0x41, count: (8 << 20) + 10) + [0x0A], shield(11),
        ]
        let said = try answers(lines.flatMap { $0 })
        #expect(said.map(\.number) == [nil, 7, 8, 9, 10, nil, 11])
        #expect(
            said.map { $0.problem?.code } == [
                "body.invalid", "draw.bad_request", "draw.bad_size", "draw.bad_path", "draw.bad_path",
                "draw.request_too_large", nil,
            ]
        )
    }

    @Test("Raw pixels are written to a new private file, never to an existing file or through a link")
    func fresh() throws {
        try scratch.write("mine", to: "1.argb32")
        #expect(symlink(scratch.file("elsewhere"), scratch.file("2.argb32")) == 0)
        let said = try answers(try shield(1) + shield(2) + shield(3))
        #expect(said.map { $0.problem?.code } == ["draw.not_written", "draw.not_written", nil])
        #expect(ScratchDirectory.text(scratch.file("1.argb32")) == "mine")
        #expect(access(scratch.file("elsewhere"), F_OK) != 0)
        var status = stat()
        #expect(lstat(scratch.file("3.argb32"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(status.st_size == 320 * 240 * 4)
    }

    @Test("A drawing that crashes is answered with a problem, leaves no file, and the next one is drawn")
    func falls() throws {
        // 150 MiB in a file that is limited to 32 MiB. A signal ends the painter while it writes.
        let huge = try shield(1) {
            $0.width = 8192
            $0.height = 4800
        }
        let run = try program.run(bytes: huge + shield(2), ["--stay"], limit: "-f 65536")
        let said = try run.output.split(separator: 0x0A).map { try DrawSessionReply.decodedBody(Array($0)) }
        #expect(said.map(\.number) == [1, 2])
        #expect(said[0].problem != nil && said[1].shield != nil, "\(said)")
        #expect(access(scratch.file("1.argb32"), F_OK) != 0)
    }

    @Test("If the painter process is killed, one drawing fails and the next one is drawn")
    func killed() throws {
        let (input, output) = (try DescriptorPipe(), try DescriptorPipe())
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: try BuiltTree.program("screentime-draw"),
                arguments: ["--stay"],
                environment: ["HOME": scratch.path],
                standardOutput: output.writeEnd.number,
                descriptors: [0: input.readEnd.number]
            )
        )
        defer {
            process.signalGroup(SIGKILL)
            _ = process.wait(deadlineMs: 5_000)
        }
        func ask(_ line: [UInt8]) throws -> DrawSessionReply {
            #expect(
                line.withUnsafeBytes { write(input.writeEnd.number, $0.baseAddress, $0.count) } == line.count
            )
            var said: [UInt8] = []
            while said.last != 0x0A {
                var byte: UInt8 = 0
                try #require(Readiness.wait(output.readEnd.number, withinMs: 60_000))
                try #require(read(output.readEnd.number, &byte, 1) == 1)
                said.append(byte)
            }
            return try DrawSessionReply.decodedBody(said)
        }
        #expect(try ask(shield(1)).shield != nil)
        let children = ScratchDirectory.text("/proc/\(process.pid)/task/\(process.pid)/children")
        let painter = try #require(pid_t(children.split(separator: " ").first.map(String.init) ?? ""))
        #expect(kill(painter, SIGKILL) == 0)
        let lost = try ask(shield(2))
        #expect(lost.number == 2 && lost.problem?.code == "draw.failed")
        #expect(try ask(shield(3)).shield != nil)
    }
}

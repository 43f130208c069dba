import Foundation
import STContracts
import STDrawing
import STPlatform
import STTestSupport
import Testing

@Suite("The program screentime-draw", .timeLimit(.minutes(5)))
struct ProgramTests {
    private let scratch: ScratchDirectory
    private let program: DrawingProgram

    init() throws {
        scratch = try ScratchDirectory()
        program = DrawingProgram(scratch: scratch)
    }

    private func request(_ change: (inout DrawRequest) -> Void = { _ in }) -> DrawRequest {
        var request = DrawRequest(look: Looks.english, width: 320, height: 200, output: scratch.file("a.png"))
        change(&request)
        return request
    }

    @Test("The drawn shield is written as a PNG, and the reply contains the places of its buttons")
    func draws() throws {
        let run = try program.run(request())
        let answer = try run.answer()
        let drawn = try ShieldDrawing.draw(Looks.scene(Looks.english, width: 320, height: 200))
        let picture = try AtomicFile.read(scratch.file("a.png"), limitBytes: 1 << 20)

        #expect(run.status.isSuccess && run.errors.isEmpty)
        #expect(
            answer
                == DrawAnswer(
                    width: 320,
                    height: 200,
                    bytes: picture.count,
                    buttons: drawn.buttons,
                    warnings: []
                )
        )
        let read = try PictureFile.decoded(picture, sideMax: 400)
        #expect(read.argb32() == drawn.canvas.argb32())
    }

    @Test("A shield can be written to standard output, as PNG or as raw pixels")
    func standardOutput() throws {
        let png = try program.run(request { $0.output = "-" })
        let bare = try program.run(
            request {
                $0.output = "-"
                $0.format = .argb32
            }
        )

        #expect(png.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try DrawAnswer.decodedBody(Array(png.errors.utf8)).buttons.count == 2)
        #expect(bare.output.count == 320 * 200 * 4)
    }

    @Test(
        "An invalid shield request is rejected with a sentence and a code",
        arguments: [
            "", "{", "[]", "null", "{}",
            #"{"look":{"submenu":[]},"width":1e400,"height":1,"appearance":"light","output":"-"}"#,
            #"{"look":{"submenu":[]},"width":0,"height":10,"appearance":"light","output":"-"}"#,
            #"{"look":{"submenu":[]},"width":100000,"height":100000,"appearance":"light","output":"-"}"#,
            #"{"look":{"submenu":[]},"width":100,"height":100,"appearance":"pink","output":"-"}"#,
            #"{"look":{"submenu":[]},"width":100,"height":100,"scale":0,"appearance":"dark","output":"-"}"#,
            #"{"look":{"submenu":[]},"width":100,"height":100,"appearance":"dark","output":"relative.png"}"#,
            #"{"look":{"submenu":[]},"width":100,"height":100,"appearance":"dark","language":"../..","output":"-"}"#,
            #"{"look":{"submenu":[]},"width":100,"height":100,"appearance":"dark","format":"bmp","output":"-"}"#,
        ]
    )
    func refused(text: String) throws {
        let run = try program.run(bytes: Array(text.utf8))

        #expect(run.status == .exited(2))
        #expect(run.errors.hasPrefix("screentime-draw: "))
        #expect(try !run.problem().code.isEmpty)
    }

    @Test("A request with an icon of 50 MB is rejected")
    func large() throws {
        let start = #"{"look":{"submenu":[],"icon":{"kind":"data","data":""#
        let run = try program.run(bytes: Array(start.utf8) + [UInt8](repeating: 0x41, count: 50 << 20))

        #expect(run.status == .exited(2))
        #expect(try run.problem().code == "draw.request_too_large")
    }

    @Test("If the output path of a shield cannot be written, the error names it")
    func notWritten() throws {
        let run = try program.run(request { $0.output = scratch.file("no/such/folder.png") })

        #expect(run.status == .exited(1))
        #expect(try run.problem().message.contains("/no/such/folder.png"))
    }

    @Test("A backdrop that is not a picture is left out with a warning")
    func backdrop() throws {
        try scratch.write("no picture", to: "back.png")
        let run = try program.run(request { $0.backdrop = scratch.file("back.png") })

        let warning = try run.answer().warnings.first
        #expect(warning?.key == "draw.backdrop-not-used")
        #expect(warning?.english.hasPrefix("The backdrop cannot be used") == true)
    }

    @Test("A shield with a bad icon is drawn with a warning")
    func badIcon() throws {
        let bomb = Data(IconTests.claiming(100_000, 1)).base64EncodedString()
        let run = try program.run(request { $0.look.icon = ShieldIcon(kind: .data, data: bomb) })

        #expect(try run.answer().warnings.contains { $0.english.contains("100000x1 pixels") })
    }

    @Test("The declarations of pango functions agree with pango's headers")
    func headers() throws {
        let headers =
            BuiltTree.source("Shared/Base/C/Cairo/include")
        let source = "#include <pango/pangocairo.h>\n#include \"stpango.h\"\n"
        try scratch.write(source, to: "same.c")
        try scratch.write(
            source + "int pango_layout_get_line_count(PangoLayout *layout, int more);\n",
            to: "other.c"
        )
        let check = { (file: String) in
            let command = "exec clang -fsyntax-only -w $(pkg-config --cflags pangocairo) -I'\(headers)' "
            let process = try SpawnedProcess(
                SpawnPlan(
                    executable: "/bin/sh",
                    arguments: ["-c", command + scratch.file(file) + " 2>/dev/null"],
                    environment: ProcessEnvironment.current()
                )
            )
            return try #require(process.wait(deadlineMs: 60_000))
        }

        #expect(try check("same.c").isSuccess)
        // The compiler detects a difference.
        #expect(try !check("other.c").isSuccess)
    }
}

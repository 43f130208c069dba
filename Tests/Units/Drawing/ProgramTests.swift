import Foundation
import STContracts
import STDrawing
import STPlatform
import STTestSupport
import Testing

@Suite("screentime-draw", .timeLimit(.minutes(5)))
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

    @Test("writes the PNG that the drawing gives, and says where the buttons are")
    func draws() throws {
        let run = try program.run(request())
        let answer = try run.answer()
        let drawn = try ShieldDrawing.draw(Looks.scene(Looks.english, 320, 200))
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

    @Test("to standard output, and as bare pixels")
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
        "what cannot be drawn is refused with a sentence and a code, and nothing is written",
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

    @Test("more than it reads is refused, such as an icon of 50 MB")
    func large() throws {
        let start = #"{"look":{"submenu":[],"icon":{"kind":"data","data":""#
        let run = try program.run(bytes: Array(start.utf8) + [UInt8](repeating: 0x41, count: 50 << 20))

        #expect(run.status == .exited(2))
        #expect(try run.problem().code == "draw.request_too_large")
    }

    @Test("a place that cannot be written to is named")
    func notWritten() throws {
        let run = try program.run(request { $0.output = scratch.file("no/such/folder.png") })

        #expect(run.status == .exited(1))
        #expect(try run.problem().message.contains("/no/such/folder.png"))
    }

    @Test("a backdrop that is no picture is left out with a warning")
    func backdrop() throws {
        try scratch.write("no picture", to: "back.png")
        let run = try program.run(request { $0.backdrop = scratch.file("back.png") })

        let warning = try run.answer().warnings.first
        #expect(warning?.key == "draw.backdrop-not-used")
        #expect(warning?.english.hasPrefix("The backdrop cannot be used") == true)
    }

    @Test("a bad icon does not keep a shield from being drawn")
    func badIcon() throws {
        let bomb = Data(IconTests.claiming(100_000, 1)).base64EncodedString()
        let run = try program.run(request { $0.look.icon = ShieldIcon(kind: .data, data: bomb) })

        #expect(try run.answer().warnings.contains { $0.english.contains("100000x1 pixels") })
    }

    @Test("the lines about pango are those of its own headers")
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
        // The compiler does see a difference where there is one.
        #expect(try !check("other.c").isSuccess)
    }
}

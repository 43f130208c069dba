import Foundation
import STTestSupport
import Testing

@Suite("Linking of the command")
struct CommandLinkTests {
    private func hasPango(_ name: String) throws -> Bool {
        let program = try Data(contentsOf: URL(filePath: BuiltTree.program(name)))
        return program.range(of: Data("libpango-1.0.so".utf8)) != nil
    }

    @Test("Pango is linked into screentime-draw and not into `screentime`")
    func pango() throws {
        #expect(try hasPango("screentime-draw"))
        #expect(try !hasPango("screentime"))
    }
}

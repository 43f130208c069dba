import Foundation
import Glibc
import STPlatform
import STTestSupport
import Testing

@testable import UIKit

@Suite("Pictures")
struct ImageTests {
    private func write(_ data: Data, _ path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: url)
    }

    @Test("The format and size of a picture are read from its first bytes")
    func heads() {
        #expect(UIImage(data: Pictures.png(40, 20))?.size == CGSize(width: 40, height: 20))
        #expect(UIImage(data: Pictures.jpeg(30, 50), scale: 2)?.size == CGSize(width: 15, height: 25))
        #expect(UIImage(data: Pictures.png(1, 1))?.pngData() == Pictures.png(1, 1))
        #expect(UIImage(data: Pictures.jpeg(1, 1))?.pngData() == nil)
        for bytes in [
            Data(), Data("<svg/>".utf8), Pictures.png(0, 5), Pictures.png(9, 9).prefix(20),
            Pictures.jpeg(9, 9).prefix(12),
            Data([0xFF, 0xD8, 0xFF] + Array(repeating: 0xFF, count: 500_000)),
        ] {
            #expect(UIImage(data: bytes) == nil)
        }
    }

    @Test("A symbol has a valid name and an optional tint")
    func symbols() {
        #expect(UIImage(systemName: "hourglass.circle.fill")?.origin == .symbol("hourglass.circle.fill"))
        #expect(UIImage(systemName: "../x") == nil && UIImage(systemName: "") == nil)
        let configuration = UIImage.SymbolConfiguration(paletteColors: [.red, .blue])
        #expect(UIImage(systemName: "star", withConfiguration: configuration)?.tint == .red)
        let tinted = UIImage(systemName: "star")?.withTintColor(.green, renderingMode: .alwaysOriginal)
        #expect(tinted?.tint == .green && tinted?.renderingMode == .alwaysOriginal)
        #expect(tinted?.size == .zero)
    }

    @Test("A picture is found by name in catalogues of any depth or as a file, in its highest resolution")
    func names() throws {
        let scratch = try ScratchDirectory()
        let set = "Media.xcassets/Shields/Logo.imageset"
        for (path, data) in [
            ("\(set)/a.png", Pictures.png(10, 10)), ("\(set)/a2.png", Pictures.png(20, 20)),
            ("\(set)/dark.png", Pictures.png(30, 30)), ("loose@2x.png", Pictures.png(8, 8)),
            ("loose.png", Pictures.png(4, 4)), ("Resources/photo.jpeg", Pictures.jpeg(6, 6)),
            ("fake.png", Data("no".utf8)),
        ] { try write(data, scratch.file(path)) }
        let dark = #""appearances": [{"appearance": "luminosity", "value": "dark"}]"#
        try write(
            Data(
                """
                {"images": [{"filename": "a.png", "scale": "1x", "idiom": "universal"},
                 {"filename": "a2.png", "scale": "2x"}, {"scale": "3x"}, {"filename": "gone.png", "scale": "3x"},
                 {"filename": "../../../loose.png", "scale": "9x"},
                 {"filename": "dark.png", "scale": "3x", \(dark)}]}
                """.utf8
            ),
            scratch.file("\(set)/Contents.json")
        )
        let assets = AssetFolder(places: [scratch.path, scratch.file("Resources")])
        let logo = try #require(assets.image("Logo"))
        #expect(logo.file == scratch.file("\(set)/a2.png") && logo.scale == 2)
        #expect(logo.dark == scratch.file("\(set)/dark.png"))
        #expect(assets.image("loose")?.file == scratch.file("loose@2x.png"))
        #expect(assets.image("loose.png")?.scale == 2)
        #expect(assets.image("photo")?.head.width == 6)
        for name in ["fake", "none", "../loose", "", "Media.xcassets/../loose"] {
            #expect(assets.image(name) == nil, "\(name)")
        }
        #expect(UIImage(named: "none") == nil)
    }

    @Test("A large picture file is accepted, and a pipe, folder or missing file gives nil")
    func files() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("big@3x.png")
        try write(Pictures.png(90, 60) + Data(count: 3 << 20), path)
        #expect(UIImage(contentsOfFile: path)?.size == CGSize(width: 30, height: 20))
        #expect(mkfifo(scratch.file("pipe.png"), 0o600) == 0)
        #expect(UIImage(contentsOfFile: scratch.file("pipe.png")) == nil)
        #expect(UIImage(contentsOfFile: scratch.path) == nil)
        #expect(UIImage(contentsOfFile: scratch.file("none.png")) == nil)
    }

    @Test(
        "The bundle of an app is the host's path, else the folder of its manifest, else the program's folder"
    )
    func bundle() throws {
        let scratch = try ScratchDirectory()
        try write(Data("{}".utf8), scratch.file("app/manifest.json"))
        let program = scratch.file("app/bin/deep/program")
        func find(_ environment: [String: String], _ executable: String) -> String {
            AppFolder.find(environment: environment, executable: executable)
        }
        #expect(find(["SCREENTIME_BUNDLE": "/told"], program) == "/told")
        #expect(find(["SCREENTIME_BUNDLE": "relative"], program) == scratch.file("app"))
        #expect(find([:], program) == scratch.file("app"))
        #expect(find([:], "/nowhere/at/all/program") == "/nowhere/at/all")
    }
}

/// The first bytes of pictures. The framework does not read more.
enum Pictures {
    static func png(_ width: Int, _ height: Int) -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8))
            + number(width, 4) + number(height, 4) + Data([8, 6, 0, 0, 0])
    }

    /// A JPEG with a segment to skip before the size.
    static func jpeg(_ width: Int, _ height: Int) -> Data {
        Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 1, 2, 3, 4, 0xFF, 0xC0, 0, 17, 8]) + number(height, 2)
            + number(width, 2) + Data(repeating: 0, count: 20)
    }

    private static func number(_ value: Int, _ bytes: Int) -> Data {
        Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
}

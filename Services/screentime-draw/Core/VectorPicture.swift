import Glibc
import STCCairo
import STPlatform

/// Draws SVG icons with librsvg, which reads no other files for them.
///
/// The library is loaded only for such an icon, because most shields need none. If it is not installed, drawing fails.
enum VectorPicture {
    /// The side of the picture in pixels. No icon is drawn larger.
    private static let side = 256
    private static let headMax = 1_024

    private typealias NewFromData =
        @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutableRawPointer?) -> OpaquePointer?
    private typealias Render =
        @convention(c) (OpaquePointer, OpaquePointer, UnsafePointer<Double>, UnsafeMutableRawPointer?) ->
        Int32
    private typealias Release = @convention(c) (OpaquePointer) -> Void

    private struct Library {
        var newFromData: NewFromData
        var render: Render
        var release: Release
    }

    // The library stays loaded, because its threads and types cannot be removed.
    private static let library: Library? = {
        guard let handle = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL),
            let newFromData = dlsym(handle, "rsvg_handle_new_from_data"),
            let render = dlsym(handle, "rsvg_handle_render_document"),
            let release = dlsym(handle, "g_object_unref")
        else { return nil }
        return Library(
            newFromData: unsafeBitCast(newFromData, to: NewFromData.self),
            render: unsafeBitCast(render, to: Render.self),
            release: unsafeBitCast(release, to: Release.self)
        )
    }()

    static func isSVG(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(headMax)
        guard head.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") else { return false }
        return head.contains(sequence: "<svg") || head.contains(sequence: ":svg")
    }

    static func drawn(_ bytes: [UInt8]) throws(Problem) -> Canvas {
        guard let library else {
            throw Problem("draw.no_svg", "it is an SVG, and librsvg (package librsvg2-2) is not installed")
        }
        let bytes = EmojiPictures.inserted(into: bytes)
        guard
            let picture = bytes.withUnsafeBufferPointer({ library.newFromData($0.baseAddress, $0.count, nil) }
            )
        else {
            throw Problem(
                "draw.bad_picture",
                "it is a damaged SVG",
                key: "draw.bad_picture.it-is-a-damaged-svg"
            )
        }
        defer { library.release(picture) }
        let canvas = try Canvas(width: side, height: side)
        let box: [Double] = [0, 0, Double(side), Double(side)]
        guard library.render(picture, canvas.pen, box, nil) != 0 else {
            throw Problem(
                "draw.bad_picture",
                "it is an SVG that cannot be drawn",
                key: "draw.bad_picture.it-is-an"
            )
        }
        return canvas
    }
}

extension ArraySlice<UInt8> {
    fileprivate func contains(sequence text: StaticString) -> Bool {
        text.withUTF8Buffer { self.firstRange(of: Array($0)) != nil }
    }
}

import STCCairo
import STContracts
package import STPlatform

/// Decodes pictures from other programs: PNG, JPEG or SVG.
///
/// The size is in the first bytes of a PNG or JPEG, so a picture that is too large is refused before it is decoded. An SVG has no
/// size of its own.
package enum PictureFile {
    package static func decoded(base64 text: String, bytesMax: Int, sideMax: Int) throws(Problem) -> Canvas {
        guard text.utf8.count <= (bytesMax + 2) / 3 * 4 else { throw tooLarge(bytesMax) }
        guard let bytes = Base64.decode(text) else {
            throw Problem("draw.bad_picture", "its data is not base64")
        }
        return try decoded(bytes, sideMax: sideMax)
    }

    package static func read(_ path: String, bytesMax: Int, sideMax: Int) throws(Problem) -> Canvas {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Problem(
                "draw.bad_path",
                "“\(path.prefix(200), "path")” is not an absolute path",
                key: "draw.bad_path.is-not-an"
            )
        }
        let bytes: [UInt8]
        do throws(Problem) {
            bytes = try AtomicFile.read(path, limitBytes: bytesMax)
        } catch {
            if error.code == "file.too_large" { throw tooLarge(bytesMax) }
            throw error
        }
        return try decoded(bytes, sideMax: sideMax)
    }

    package static func decoded(_ bytes: [UInt8], sideMax: Int) throws(Problem) -> Canvas {
        if VectorPicture.isSVG(bytes) { return try VectorPicture.drawn(bytes) }
        guard let header = ImageHeader(bytes) else {
            throw Problem(
                "draw.bad_picture",
                "it is neither a PNG nor a JPEG nor an SVG",
                key: "draw.bad_picture.it-is-neither"
            )
        }
        guard header.width > 0, header.height > 0, header.width <= sideMax, header.height <= sideMax else {
            throw Problem(
                "draw.picture_too_large",
                """
                it has \(header.width, "width")x\(header.height, "height") pixels, but at most \
                \(sideMax, "most") in each direction are allowed
                """
            )
        }
        switch header.kind {
        case .png: return try png(bytes, header)
        case .jpeg: return try jpeg(bytes, header)
        }
    }

    private static func png(_ bytes: [UInt8], _ header: ImageHeader) throws(Problem) -> Canvas {
        let canvas = try Canvas(width: header.width, height: header.height)
        let isDrawn = bytes.withUnsafeBytes { bytes in
            var source = ByteSource(rest: bytes)
            let picture = withUnsafeMutablePointer(to: &source) { source in
                cairo_image_surface_create_from_png_stream(
                    { source, target, count in
                        guard let source = source?.assumingMemoryBound(to: ByteSource.self), let target,
                            source.pointee.rest.count >= Int(count)
                        else { return CAIRO_STATUS_READ_ERROR }
                        target.update(
                            from: source.pointee.rest.bindMemory(to: UInt8.self).baseAddress
                                ?? UnsafePointer(target),
                            count: Int(count)
                        )
                        source.pointee.rest = UnsafeRawBufferPointer(
                            rebasing: source.pointee.rest.dropFirst(Int(count))
                        )
                        return CAIRO_STATUS_SUCCESS
                    },
                    source
                )
            }
            defer { cairo_surface_destroy(picture) }
            guard cairo_surface_status(picture) == CAIRO_STATUS_SUCCESS else { return false }
            cairo_set_source_surface(canvas.pen, picture, 0, 0)
            cairo_paint(canvas.pen)
            return true
        }
        guard isDrawn else {
            throw Problem(
                "draw.bad_picture",
                "it is a damaged PNG",
                key: "draw.bad_picture.it-is-a"
            )
        }
        return canvas
    }

    private static func jpeg(_ bytes: [UInt8], _ header: ImageHeader) throws(Problem) -> Canvas {
        let canvas = try Canvas(width: header.width, height: header.height)
        let stride = canvas.stride
        let isWhole = canvas.pixels { pixels, _ in
            let target = UnsafeMutableRawBufferPointer(pixels).bindMemory(to: UInt8.self).baseAddress
            let result = st_jpeg_decode(
                bytes,
                bytes.count,
                target,
                Int32(clamping: stride),
                Int32(clamping: header.width),
                Int32(clamping: header.height)
            )
            // The fourth byte of each pixel is unused in a JPEG, but is the alpha here.
            for index in pixels.indices { pixels[index] |= 0xFF00_0000 }
            return result == 1
        }
        guard isWhole == true else {
            throw Problem(
                "draw.bad_picture",
                "it is a damaged JPEG",
                key: "draw.bad_picture.it-is-a-damaged"
            )
        }
        return canvas
    }

    private static func tooLarge(_ bytesMax: Int) -> Problem {
        Problem(
            "draw.picture_too_large",
            "it is larger than \(TextFormat.bytes(Int64(bytesMax)), "bytes")",
            key: "draw.picture_too_large.it-is-larger"
        )
    }
}

/// The part of a PNG that was not read yet.
private struct ByteSource {
    var rest: UnsafeRawBufferPointer
}

import Glibc
import STCScreen
import STDesktop
import STPlatform

/// Pictures go to the server in pieces and become a window's background: it paints what was hidden by itself, and this
/// process keeps nothing.
extension XDesk {
    /// Bytes of a picture that are in memory at the same time.
    private static let pieceBytes = 256 * 1024
    private static let sideMax = 32_767

    /// What cannot be read, and a picture of a size that the pane no longer has, changes nothing: the pane stays as it is.
    func paint(_ id: PaneID, _ picture: PanePicture) {
        guard let pane = panes[id], let rect = pane.rect, picture.width == rect.width,
            picture.height == rect.height, (1...Self.sideMax).contains(picture.width),
            (1...Self.sideMax).contains(picture.height), connection.pixels.bitsPerPixel != 0
        else { return }
        let number = open(picture.path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(file.number, &status) == 0, Int(status.st_size) >= picture.width * picture.height * 4
        else {
            return
        }
        let pixmap = connection.newID()
        let context = connection.newID()
        let screen = connection.screen
        xcb_create_pixmap(
            connection.raw,
            screen.root_depth,
            pixmap,
            pane.window,
            UInt16(picture.width),
            UInt16(picture.height)
        )
        xcb_create_gc(connection.raw, context, pixmap, 0, nil)
        defer {
            // The window keeps what it shows.
            xcb_free_gc(connection.raw, context)
            xcb_free_pixmap(connection.raw, pixmap)
        }
        guard send(file, picture, to: pixmap, context) else { return }
        var background = pixmap
        xcb_change_window_attributes(connection.raw, pane.window, XCB_CW_BACK_PIXMAP.rawValue, &background)
        xcb_clear_area(connection.raw, 0, pane.window, 0, 0, 0, 0)
        panes[id]?.spots = picture.spots
        lookBeneathPointer(id)
    }

    private func send(_ file: OwnedDescriptor, _ picture: PanePicture, to pixmap: UInt32, _ context: UInt32)
        -> Bool
    {
        let rowBytes = picture.width * 4
        // A request carries 24 bytes beside its rows.
        let roomBytes = min(Self.pieceBytes, Int(xcb_get_maximum_request_length(connection.raw)) * 4 - 64)
        let rowsAtOnce = max(1, roomBytes / rowBytes)
        var buffer = [UInt8](repeating: 0, count: rowsAtOnce * rowBytes)
        var row = 0
        while row < picture.height {
            let count = min(rowsAtOnce, picture.height - row)
            guard fill(&buffer, count * rowBytes, from: file, at: row * rowBytes) else { return false }
            let data = buffer.withUnsafeBytes { raw -> [UInt8]? in
                guard !connection.pixels.isPlain else { return nil }
                return connection.pixels.rows(
                    UnsafeRawBufferPointer(rebasing: raw[..<(count * rowBytes)]),
                    width: picture.width
                )
            }
            let length = data?.count ?? count * rowBytes
            (data ?? buffer).withUnsafeBufferPointer { bytes in
                _ = xcb_put_image(
                    connection.raw,
                    UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue),
                    pixmap,
                    context,
                    UInt16(picture.width),
                    UInt16(count),
                    0,
                    Int16(row),
                    0,
                    connection.screen.root_depth,
                    UInt32(length),
                    bytes.baseAddress
                )
            }
            row += count
        }
        return true
    }

    private func fill(_ buffer: inout [UInt8], _ length: Int, from file: OwnedDescriptor, at start: Int)
        -> Bool
    {
        var done = 0
        while done < length {
            let count = buffer.withUnsafeMutableBytes {
                pread(file.number, $0.baseAddress?.advanced(by: done), length - done, off_t(start + done))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}

import STCCairo

/// Where the bytes that cairo writes arrive.
final class ByteSink {
    private(set) var bytes: [UInt8] = []

    /// For cairo, with the sink itself as the closure.
    static let write:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt32) -> cairo_status_t = {
            sink,
            bytes,
            count in
            guard let sink, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
            Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue().bytes +=
                UnsafeBufferPointer(start: bytes, count: Int(count))
            return CAIRO_STATUS_SUCCESS
        }
}

import Glibc
import STCScreen
import STPlatform

/// An arrow, drawn here: themes are another library, and this one is only seen over covers.
final class CursorPicture {
    let surface: OpaquePointer
    private let buffer: OpaquePointer

    private static let rows = [
        "#           ", "##          ", "#.#         ", "#..#        ", "#...#       ", "#....#      ",
        "#.....#     ", "#......#    ", "#.......#   ", "#........#  ", "#.........# ", "#......#####",
        "#...#..#    ", "#..##..#    ", "#.#  #..#   ", "##   #..#   ", "#     #..#  ", "      #..#  ",
        "       ##   ",
    ]

    init?(_ surfaces: Surfaces) {
        let pixels: [UInt32] = Self.rows.flatMap { row in
            row.map { $0 == "#" ? 0xFF00_0000 : $0 == "." ? 0xFFFF_FFFF : 0 }
        }
        let width = Int32(12)
        let height = Int32(Self.rows.count)
        let number = stw_memory_file("cursor", Int64(width * height * 4))
        guard number >= 0 else { return nil }
        let file = OwnedDescriptor(number)
        let written = pixels.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
        guard written == Int(width * height * 4),
            let pool = wl_shm_create_pool(surfaces.memory, file.number, width * height * 4)
        else { return nil }
        defer { wl_shm_pool_destroy(pool) }
        guard
            let buffer = wl_shm_pool_create_buffer(
                pool,
                0,
                width,
                height,
                width * 4,
                WL_SHM_FORMAT_ARGB8888.rawValue
            ),
            let surface = wl_compositor_create_surface(surfaces.compositor)
        else { return nil }
        self.buffer = buffer
        self.surface = surface
        wl_surface_attach(surface, buffer, 0, 0)
        wl_surface_damage_buffer(surface, 0, 0, width, height)
        wl_surface_commit(surface)
    }

    deinit {
        wl_surface_destroy(surface)
        wl_buffer_destroy(buffer)
    }
}

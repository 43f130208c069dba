package import STContracts
import STPlatform

/// A report as a picture in a file, drawn by a child that ends with it.
package enum PagePicture {
    /// Writes it, PNG or SVG; the answer says how large it became and what could not be drawn as it was meant.
    ///
    /// `path` is absolute. `chosen` is one option of each of the page's controls; nil draws what is shown at first.
    @discardableResult
    package static func write(
        _ page: Page,
        to path: String,
        width: Double? = nil,
        scale: Double? = nil,
        appearance: DrawAppearance = .light,
        format: DrawFormat = .png,
        chosen: [Int]? = nil,
        environment: [String: String] = [:]
    ) throws -> DrawPageAnswer {
        let request = DrawPageRequest(
            page: page,
            width: width,
            scale: scale,
            appearance: appearance,
            chosen: chosen,
            format: format,
            output: path
        )
        return try write(request, with: .beside(SystemPlaces.executable()), environment)
    }

    package static func write(
        _ request: DrawPageRequest,
        with child: DrawingChild,
        _ environment: [String: String] = [:]
    ) throws -> DrawPageAnswer {
        guard request.output.hasPrefix("/") else {
            throw Problem("draw.bad_path", "A picture is written to an absolute path.", field: "/output")
        }
        return try child.draw(request, environment: DrawingChild.fonts(of: environment))
    }
}

import Foundation
import STContracts
import STFoundationTypes
import UIKit

extension Image: View, PrimitiveView {
    /// It is a picture.
    public typealias Body = Never

    /// A picture on a page is part of it, so there is little room for it.
    private static let bytesMax = 256 * 1024

    package func write(_ page: PageWriter) throws {
        guard let picture, let found = Self.found(picture) else {
            // Holds its place, as on a phone.
            try page.add(PageNode(kind: .layered))
            return
        }
        var image = found
        let tint = picture.tint.map { Color(uiColor: $0).page(in: page.environment) }
        if image.kind == .system || isTemplate ?? (picture.renderingMode == .alwaysTemplate) {
            image.color = tint ?? page.textColor
        }
        if image.kind == .system {
            image.font = page.environment.look.font?.page(page.environment.look.fontChanges)
        }
        // Nil would keep its own size.
        image.scaling = isResizable ? (page.environment.look.imageScaling ?? "stretch") : nil
        let says = label?.words(in: page.environment)
        try page.add(
            PageNode(
                kind: .image,
                image: image,
                label: says,
                isDecoration: isDecoration || says == nil ? true : nil
            )
        )
    }

    private static func found(_ picture: UIImage) -> PageImage? {
        switch picture.origin {
        case .nowhere: return nil
        case .symbol(let name): return PageImage(kind: .system, name: name)
        case .data(let data): return made(data, picture.size)
        case .file(let path, _):
            guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
            defer { try? handle.close() }
            return (try? handle.read(upToCount: bytesMax + 1)).flatMap { made($0, picture.size) }
        }
    }

    private static func made(_ data: Data, _ size: CGSize) -> PageImage? {
        guard data.count <= bytesMax else {
            FrameworkLog.drawing.error("a picture is left out of a page: \(bytesMax) bytes are the limit")
            return nil
        }
        return PageImage(
            kind: .data,
            data: data.base64EncodedString(),
            width: Int(size.width),
            height: Int(size.height)
        )
    }
}

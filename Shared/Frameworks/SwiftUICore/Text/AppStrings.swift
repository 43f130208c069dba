import Foundation
import STFoundationTypes
import Synchronization
import UIKit

/// The app's words in other languages: `ko.lproj/Localizable.strings` in its bundle, or in `Resources` there.
final class AppStrings: Sendable {
    static let current = AppStrings(root: AppFolder.current)

    private static let bytesMax = 1024 * 1024

    private let root: String
    private let tables = Mutex<[String: [String: String]]>([:])

    init(root: String) { self.root = root }

    func text(_ key: String, table: String?, _ locale: Locale) -> String? {
        let table = table ?? "Localizable"
        guard !table.contains("/"), let language = locale.language.languageCode?.identifier else {
            return nil
        }
        let name = "\(language).lproj/\(table).strings"
        if let known = tables.withLock({ $0[name] }) { return known[key] }
        let read = Self.read("\(root)/\(name)") ?? Self.read("\(root)/Resources/\(name)") ?? [:]
        tables.withLock { $0[name] = read }
        return read[key]
    }

    private static func read(_ path: String) -> [String: String]? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: bytesMax + 1), data.count <= bytesMax else { return nil }
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let words = list as? [String: String]
        else {
            FrameworkLog.drawing.error("\(path) cannot be read: it is not a list of \"key\" = \"words\";")
            return nil
        }
        return words
    }
}

public import Foundation

extension UserDefaults {
    // MARK: - Reading

    /// A text; a number is written out.
    public func string(forKey defaultName: String) -> String? {
        switch object(forKey: defaultName) {
        case let text as String: text
        case let truth as Bool: truth ? "1" : "0"
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    /// A list.
    public func array(forKey defaultName: String) -> [Any]? { object(forKey: defaultName) as? [Any] }

    /// A list of texts.
    public func stringArray(forKey defaultName: String) -> [String]? {
        let list = array(forKey: defaultName)
        let texts = list?.compactMap { $0 as? String }
        return texts?.count == list?.count ? texts : nil
    }

    /// A dictionary.
    public func dictionary(forKey defaultName: String) -> [String: Any]? {
        object(forKey: defaultName) as? [String: Any]
    }

    /// Bytes.
    public func data(forKey defaultName: String) -> Data? { object(forKey: defaultName) as? Data }

    /// A whole number; 0 when there is none.
    public func integer(forKey defaultName: String) -> Int {
        switch object(forKey: defaultName) {
        case let truth as Bool: truth ? 1 : 0
        case let number as NSNumber: number.intValue
        case let text as String: Int(text) ?? Int(exactly: (Double(text) ?? 0).rounded(.towardZero)) ?? 0
        default: 0
        }
    }

    /// A number; 0 when there is none.
    public func float(forKey defaultName: String) -> Float { Float(double(forKey: defaultName)) }

    /// A number; 0 when there is none.
    public func double(forKey defaultName: String) -> Double {
        switch object(forKey: defaultName) {
        case let truth as Bool: truth ? 1 : 0
        case let number as NSNumber: number.doubleValue
        case let text as String: Double(text) ?? 0
        default: 0
        }
    }

    /// A truth value; false when there is none.
    public func bool(forKey defaultName: String) -> Bool {
        switch object(forKey: defaultName) {
        case let truth as Bool: truth
        case let number as NSNumber: number.boolValue
        case let text as String: ["yes", "true", "1"].contains(text.lowercased())
        default: false
        }
    }

    /// An address; a text without a scheme is a path.
    public func url(forKey defaultName: String) -> URL? {
        guard let text = string(forKey: defaultName) else { return nil }
        if let url = URL(string: text), url.scheme != nil { return url }
        return URL(filePath: (text as NSString).expandingTildeInPath)
    }

    // MARK: - Changing

    /// Stores a whole number.
    public func set(_ value: Int, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    /// Stores a number.
    public func set(_ value: Float, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    /// Stores a number.
    public func set(_ value: Double, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    /// Stores a truth value.
    public func set(_ value: Bool, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }

    /// Stores an address; nil removes it.
    public func set(_ url: URL?, forKey defaultName: String) {
        set(url?.absoluteString as Any?, forKey: defaultName)
    }

    // MARK: - By key

    /// As `object(forKey:)`.
    public func value(forKey key: String) -> Any? { object(forKey: key) }

    /// As `set(_:forKey:)`.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

import Foundation
@_exported public import STFoundationGaps
public import STFoundationTypes
import STPlatform

public typealias OSStatus = Int32

public let errSecSuccess: OSStatus = 0
public let errSecUnimplemented: OSStatus = -4
public let errSecParam: OSStatus = -50
public let errSecNotAvailable: OSStatus = -25_291
public let errSecDuplicateItem: OSStatus = -25_299
public let errSecItemNotFound: OSStatus = -25_300
public let errSecInteractionNotAllowed: OSStatus = -25_308
public let errSecDecode: OSStatus = -26_275
public let errSecAuthFailed: OSStatus = -25_293
public let errSecMissingEntitlement: OSStatus = -34_018

public let kSecClass = "class"
public let kSecClassGenericPassword = "genp"
public let kSecClassInternetPassword = "inet"
public let kSecClassCertificate = "cert"
public let kSecClassIdentity = "idnt"
public let kSecClassKey = "keys"

public let kSecAttrAccessGroup = "agrp"
public let kSecAttrAccessible = "pdmn"
public let kSecAttrAccount = "acct"
public let kSecAttrComment = "icmt"
public let kSecAttrCreationDate = "cdat"
public let kSecAttrDescription = "desc"
public let kSecAttrGeneric = "gena"
public let kSecAttrLabel = "labl"
public let kSecAttrModificationDate = "mdat"
public let kSecAttrPath = "path"
public let kSecAttrPort = "port"
public let kSecAttrProtocol = "ptcl"
public let kSecAttrSecurityDomain = "sdmn"
public let kSecAttrServer = "srvr"
public let kSecAttrService = "svce"
public let kSecAttrSynchronizable = "sync"
public let kSecAttrSynchronizableAny = "syna"
public let kSecAttrType = "type"

public let kSecAttrAccessibleWhenUnlocked = "ak"
public let kSecAttrAccessibleAfterFirstUnlock = "ck"
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly = "aku"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "cku"
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly = "akpu"

public let kSecMatchLimit = "m_Limit"
public let kSecMatchLimitOne = "m_LimitOne"
public let kSecMatchLimitAll = "m_LimitAll"

public let kSecReturnAttributes = "r_Attributes"
public let kSecReturnData = "r_Data"
public let kSecReturnPersistentRef = "r_PersistentRef"
public let kSecReturnRef = "r_Ref"
public let kSecValueData = "v_Data"
public let kSecUseDataProtectionKeychain = "nleg"
public let kSecUseAuthenticationUI = "u_AuthUI"
public let kSecUseOperationPrompt = "u_OpPrompt"

public struct SecRandomRef: Sendable {}

public let kSecRandomDefault: SecRandomRef? = nil

/// The items of an app or of a group. The file contains them as a list of property lists.
private struct Keychain {
    /// The keys of a query that are not attributes of an item.
    private static let questions: Set<String> = [
        kSecMatchLimit, kSecReturnAttributes, kSecReturnData, kSecReturnPersistentRef, kSecReturnRef,
        kSecUseDataProtectionKeychain, kSecUseAuthenticationUI, kSecUseOperationPrompt,
    ]
    /// The attributes that identify an item, for each class.
    private static let keys = [
        kSecClassGenericPassword: [kSecAttrAccessGroup, kSecAttrAccount, kSecAttrService],
        kSecClassInternetPassword: [
            kSecAttrAccessGroup, kSecAttrAccount, kSecAttrSecurityDomain, kSecAttrServer, kSecAttrProtocol,
            kSecAttrPort, kSecAttrPath,
        ],
    ]
    private static let list = "items"

    private let file: DefaultsFile

    /// Opens the keychain of the group in the query, or else of the app. A team name before the group's name is ignored.
    init?(_ query: CFDictionary) {
        let named = (query[kSecAttrAccessGroup] as? String).flatMap { name in
            name.range(of: "group.").map { String(name[$0.lowerBound...]) }
        }
        do {
            guard let folders = StateFolders.current else { return nil }
            let folder = try named.map(folders.group) ?? folders.app(AppIdentity.current.app)
            file = DefaultsFiles.shared.file("\(folder)/Library/Keychains/items.plist")
        } catch {
            FrameworkLog.storage.error("the keychain cannot be reached: \(error)")
            return nil
        }
    }

    var items: [CFDictionary] { Self.items(file.current()) }

    private static func items(_ values: [String: Any]) -> [CFDictionary] {
        values[list] as? [CFDictionary] ?? []
    }

    func change(_ body: (inout [CFDictionary]) -> OSStatus) -> OSStatus {
        var status = errSecSuccess
        let isKept = file.change { values in
            var items = Self.items(values)
            status = body(&items)
            if status == errSecSuccess { values[Self.list] = items }
        }
        return isKept || status != errSecSuccess ? status : errSecNotAvailable
    }

    /// Returns the attributes of an item in a query. Returns `nil` if a property list cannot contain one of them.
    static func attributes(_ query: CFDictionary) -> CFDictionary? {
        let attributes = query.filter { !questions.contains($0.key) }.compactMapValues(UserDefaults.unwrapped)
        return PropertyListSerialization.propertyList(attributes, isValidFor: .binary) ? attributes : nil
    }

    static func isSame(_ one: CFDictionary, _ other: CFDictionary) -> Bool {
        guard let kind = one[kSecClass] as? String, kind == other[kSecClass] as? String else { return false }
        return (keys[kind] ?? []).allSatisfy { equal(one[$0], other[$0]) }
    }

    static func matches(_ item: CFDictionary, _ query: CFDictionary) -> Bool {
        query.allSatisfy { key, value in
            if questions.contains(key) || key == kSecValueData { return true }
            if key == kSecAttrSynchronizable {
                if value as? String == kSecAttrSynchronizableAny { return true }
                return (item[key] as? Bool ?? false) == (value as? Bool ?? false)
            }
            return equal(item[key], value)
        }
    }

    private static func equal(_ one: Any?, _ other: Any?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return ((one as AnyObject) as? NSObject)?.isEqual(other as AnyObject) ?? false
    }

    /// Returns the result for one item in the form that the query requests.
    static func answer(_ item: CFDictionary, _ query: CFDictionary) -> AnyObject? {
        let wantsData = query[kSecReturnData] as? Bool ?? false
        guard query[kSecReturnAttributes] as? Bool ?? false else {
            return wantsData ? (item[kSecValueData] as? Data).map { $0 as AnyObject } : nil
        }
        return item.filter { wantsData || $0.key != kSecValueData } as AnyObject
    }
}

// Apple's names of these functions begin with a capital letter.

// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard let kind = attributes[kSecClass] as? String, var item = Keychain.attributes(attributes) else {
        return errSecParam
    }
    guard kind == kSecClassGenericPassword || kind == kSecClassInternetPassword else {
        return errSecUnimplemented
    }
    guard let keychain = Keychain(attributes) else { return errSecNotAvailable }
    item[kSecAttrCreationDate] = Date()
    item[kSecAttrModificationDate] = Date()
    let status = keychain.change { items in
        guard !items.contains(where: { Keychain.isSame($0, item) }) else { return errSecDuplicateItem }
        items.append(item)
        return errSecSuccess
    }
    if status == errSecSuccess { result?.pointee = Keychain.answer(item, attributes) }
    return status
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
    -> OSStatus
{
    guard query[kSecClass] is String else { return errSecParam }
    guard ![kSecReturnRef, kSecReturnPersistentRef].contains(where: { query[$0] as? Bool == true }) else {
        return errSecUnimplemented
    }
    guard let keychain = Keychain(query) else { return errSecNotAvailable }
    let found = keychain.items.filter { Keychain.matches($0, query) }
    guard let first = found.first else { return errSecItemNotFound }
    switch query[kSecMatchLimit] {
    case let word as String where word == kSecMatchLimitAll:
        result?.pointee = found.compactMap { Keychain.answer($0, query) } as AnyObject
    case let count as Int where count > 1:
        result?.pointee = found.prefix(count).compactMap { Keychain.answer($0, query) } as AnyObject
    default:
        result?.pointee = Keychain.answer(first, query)
    }
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    guard query[kSecClass] is String, let changes = Keychain.attributes(attributesToUpdate) else {
        return errSecParam
    }
    guard let keychain = Keychain(query) else { return errSecNotAvailable }
    return keychain.change { items in
        let places = items.indices.filter { Keychain.matches(items[$0], query) }
        guard !places.isEmpty else { return errSecItemNotFound }
        for place in places {
            items[place].merge(changes) { _, new in new }
            items[place][kSecAttrModificationDate] = Date()
        }
        let isTwice = places.contains { place in
            items.indices.contains { $0 != place && Keychain.isSame(items[$0], items[place]) }
        }
        return isTwice ? errSecDuplicateItem : errSecSuccess
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    guard query[kSecClass] is String else { return errSecParam }
    guard let keychain = Keychain(query) else { return errSecNotAvailable }
    return keychain.change { items in
        let before = items.count
        items.removeAll { Keychain.matches($0, query) }
        return items.count < before ? errSecSuccess : errSecItemNotFound
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    switch status {
    case errSecSuccess: "No error."
    case errSecUnimplemented: "The keychain does not do that here."
    case errSecParam: "One or more parameters passed to a function were not valid."
    case errSecNotAvailable: "No keychain is available."
    case errSecDuplicateItem: "The specified item already exists in the keychain."
    case errSecItemNotFound: "The specified item could not be found in the keychain."
    default: nil
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func SecRandomCopyBytes(_ random: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer)
    -> Int32
{
    var generator = SystemRandomNumberGenerator()
    for place in 0..<max(0, count) {
        bytes.storeBytes(of: generator.next(), toByteOffset: place, as: UInt8.self)
    }
    return errSecSuccess
}

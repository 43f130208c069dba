import Foundation

public typealias CFBoolean = Bool
public typealias CFPropertyList = Any
public typealias CFTypeRef = AnyObject

// Implicitly unwrapped as in Apple's headers, so that code compiles with and without “!”.

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public let kCFBooleanTrue: CFBoolean! = true
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
public let kCFBooleanFalse: CFBoolean! = false

public let kCFPreferencesCurrentApplication: CFString = "kCFPreferencesCurrentApplication"
public let kCFPreferencesAnyApplication: CFString = "kCFPreferencesAnyApplication"
public let kCFPreferencesCurrentUser: CFString = "kCFPreferencesCurrentUser"
public let kCFPreferencesAnyUser: CFString = "kCFPreferencesAnyUser"
public let kCFPreferencesCurrentHost: CFString = "kCFPreferencesCurrentHost"
public let kCFPreferencesAnyHost: CFString = "kCFPreferencesAnyHost"

/// Returns the `UserDefaults` of an app or a group.
private func defaults(_ application: CFString) -> UserDefaults? {
    application == kCFPreferencesCurrentApplication || application == AppIdentity.current.app
        ? .standard : UserDefaults(suiteName: application)
}

/// Returns the `UserDefaults` of an app or a group, and stores in `exists` whether they contain the key.
private func defaults(_ application: CFString, key: CFString, exists: UnsafeMutablePointer<Bool>?)
    -> UserDefaults?
{
    let defaults = defaults(application)
    exists?.pointee = defaults?.object(forKey: key) != nil
    return defaults
}

// Apple's names of these functions begin with a capital letter.

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFPreferencesCopyAppValue(_ key: CFString, _ applicationID: CFString) -> CFPropertyList? {
    defaults(applicationID)?.object(forKey: key)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFPreferencesSetAppValue(
    _ key: CFString,
    _ value: CFPropertyList?,
    _ applicationID: CFString
) {
    defaults(applicationID)?.set(value, forKey: key)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFPreferencesGetAppBooleanValue(
    _ key: CFString,
    _ applicationID: CFString,
    _ keyExistsAndHasValidFormat: UnsafeMutablePointer<Bool>?
) -> Bool {
    defaults(applicationID, key: key, exists: keyExistsAndHasValidFormat)?.bool(forKey: key) ?? false
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFPreferencesGetAppIntegerValue(
    _ key: CFString,
    _ applicationID: CFString,
    _ keyExistsAndHasValidFormat: UnsafeMutablePointer<Bool>?
) -> Int {
    defaults(applicationID, key: key, exists: keyExistsAndHasValidFormat)?.integer(forKey: key) ?? 0
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
public func CFPreferencesAppSynchronize(_ applicationID: CFString) -> Bool {
    defaults(applicationID)?.synchronize() ?? false
}

/// Ignores the user and the host, because there is one account and one computer.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFPreferencesCopyValue(
    _ key: CFString,
    _ applicationID: CFString,
    _ userName: CFString,
    _ hostName: CFString
) -> CFPropertyList? {
    CFPreferencesCopyAppValue(key, applicationID)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CFPreferencesSetValue(
    _ key: CFString,
    _ value: CFPropertyList?,
    _ applicationID: CFString,
    _ userName: CFString,
    _ hostName: CFString
) {
    CFPreferencesSetAppValue(key, value, applicationID)
}

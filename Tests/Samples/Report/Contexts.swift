import DeviceActivity
import SwiftUI

extension DeviceActivityReport.Context {
    static let total = Self("total")
    static let pie = Self("pie")
    static let hours = Self("hours")
    static let nothing = Self("nothing")
    static let endless = Self("endless")
    static let huge = Self("huge")
    static let deep = Self("deep")
    static let greedy = Self("greedy")
    static let net = Self("net")
    static let crash = Self("crash")
}

/// The callbacks of a monitor, by Apple's base names.
package enum MonitorMethod: String, WireEnum {
    case intervalDidStart, intervalDidEnd, eventDidReachThreshold
    case intervalWillStartWarning, intervalWillEndWarning, eventWillReachThresholdWarning
    case unknown
}

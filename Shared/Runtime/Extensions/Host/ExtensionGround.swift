import STZeroMQ

/// What all processes of one host share.
struct ExtensionGround {
    let loop: BusLoop
    let settings: ExtensionSettings
    let services: ExtensionServices
    let watch: MemoryWatch
    let sweep: OrphanSweep
}

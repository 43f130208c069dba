import DeviceActivity

// The whole main file of an extension.
ExtensionMain.run { SampleMonitor() }

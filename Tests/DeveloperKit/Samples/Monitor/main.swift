import DeviceActivity

// The complete main file of an extension.
ExtensionMain.run { SampleMonitor() }

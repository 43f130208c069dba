import DeviceActivity

ExtensionMain.run { PromiseMonitor() }

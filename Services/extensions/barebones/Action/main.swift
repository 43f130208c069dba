import ManagedSettings

ExtensionMain.run { BarebonesAction() }

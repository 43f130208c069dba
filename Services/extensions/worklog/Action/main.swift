import ManagedSettings

ExtensionMain.run { WorklogAction() }

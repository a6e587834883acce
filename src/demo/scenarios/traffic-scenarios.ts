import { attacker, mailAddress } from '../organisation.ts';
import { type Detection, SENSORS, technique } from './scenario.ts';
import { externalFields, fileFields, onWorkstation } from './scene-fields.ts';

/** Connections to the outside. */
export const TRAFFIC_SCENARIOS: readonly Detection[] = [
  {
    analytic: 'Beacon Hunter',
    detection: 'Periodic Callout',
    weight: 8,
    technique: technique('T1071.001', 'Application Layer Protocol: Web Protocols', 'commandAndControl'),
    category: ['network'],
    type: ['connection'],
    sensor: SENSORS.proxy,
    build: ({ random, workstation, attacker: to }) => {
      const every = random.pick([30, 60, 90, 120, 300]);
      const times = random.integer(140, 900);
      return {
        message: `${workstation.name} calls ${to.domain} every ${every} seconds, ${times} times so far`,
        outline: {
          threat: to.domain,
          target: workstation.name,
          indicators: [to.domain, to.ip],
          summary: `Regular callouts, ${every} s apart with little jitter`,
        },
        score: random.decimal(50, 82),
        severity: 6,
        action: 'connection',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          source: { ip: workstation.ip, port: random.integer(49_200, 65_000), bytes: random.integer(300, 900) * times },
          destination: externalFields(to, 443),
          url: { full: `https://${to.domain}/api/v2/poll`, domain: to.domain, path: '/api/v2/poll', scheme: 'https' },
          network: { direction: 'outbound', protocol: 'http', transport: 'tcp' },
          tls: { client: { server_name: to.domain, ja3: random.hex(32) }, version: '1.2', version_protocol: 'tls' },
          related: {
            hosts: [workstation.name, to.domain],
            ip: [workstation.ip, to.ip],
            user: [workstation.owner.username],
          },
        },
        raw: {
          user: mailAddress(workstation.owner),
          url: `${to.domain}/api/v2/poll`,
          action: 'Allowed',
          interval: every,
          requests: times,
        },
      };
    },
  },
  {
    analytic: 'Beacon Hunter',
    detection: 'Domain Name Tunnel',
    weight: 4,
    technique: technique('T1071.004', 'Application Layer Protocol: DNS', 'commandAndControl'),
    category: ['network'],
    type: ['protocol', 'connection'],
    sensor: SENSORS.resolver,
    build: ({ random, workstation }) => {
      const to = attacker('ns2.dnsrelay-node.example');
      const queries = random.integer(1_900, 16_000);
      const name = `${random.hex(48)}.t.dnsrelay-node.example`;
      return {
        message: `${queries} TXT queries below dnsrelay-node.example from ${workstation.name} within an hour`,
        outline: {
          threat: 'dnsrelay-node.example',
          target: workstation.name,
          indicators: ['dnsrelay-node.example', to.ip],
          summary: 'Data carried in names of DNS queries',
        },
        score: random.decimal(68, 91),
        severity: 7,
        action: 'dns-query',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          source: { ip: workstation.ip, port: random.integer(49_200, 65_000) },
          destination: externalFields(to, 53),
          dns: {
            question: { name, type: 'TXT', registered_domain: 'dnsrelay-node.example' },
            type: 'query',
            response_code: 'NOERROR',
          },
          network: { direction: 'outbound', protocol: 'dns', transport: 'udp' },
          related: { hosts: [workstation.name], ip: [workstation.ip, to.ip], user: [workstation.owner.username] },
        },
        raw: { query: name, qtype_name: 'TXT', 'id.orig_h': workstation.ip, 'id.resp_h': to.ip, queries },
      };
    },
  },
  {
    analytic: 'Bad Guy Finder',
    detection: 'Known Control Server',
    weight: 9,
    technique: technique('T1071.001', 'Application Layer Protocol: Web Protocols', 'commandAndControl'),
    category: ['network', 'intrusion_detection'],
    type: ['connection', 'denied'],
    sensor: SENSORS.firewall,
    build: ({ random, workstation, attacker: to }) => ({
      message: `${workstation.name} tried to reach ${to.ip} (${to.domain}), which is on the list of control servers`,
      outline: {
        threat: to.ip,
        target: workstation.name,
        indicators: [to.ip, to.domain],
        summary: 'Connection to a listed address, blocked',
      },
      score: random.decimal(44, 79),
      severity: 6,
      action: 'deny',
      outcome: 'failure',
      fields: {
        ...onWorkstation(workstation),
        source: { ip: workstation.ip, port: random.integer(49_200, 65_000) },
        destination: externalFields(to, random.pick([443, 8080, 8443, 4444])),
        network: { direction: 'outbound', protocol: 'ssl', transport: 'tcp' },
        threat: {
          feed: { name: 'Sector sharing group' },
          indicator: { ip: to.ip, type: 'ipv4-addr', provider: 'Sector sharing group', confidence: 'High' },
        },
        related: {
          hosts: [workstation.name, to.domain],
          ip: [workstation.ip, to.ip],
          user: [workstation.owner.username],
        },
      },
      raw: {
        type: 'THREAT',
        subtype: 'spyware',
        action: 'drop',
        src: workstation.ip,
        dst: to.ip,
        rule: 'outbound-default',
        srcuser: workstation.owner.username,
      },
    }),
  },
  {
    analytic: 'Bad Guy Finder',
    detection: 'Known Phishing Site',
    weight: 6,
    technique: technique('T1566.002', 'Phishing: Spearphishing Link', 'initialAccess'),
    category: ['network', 'web'],
    type: ['access'],
    sensor: SENSORS.proxy,
    build: ({ random, workstation }) => {
      const to = attacker(
        random.pick(['m365-verify-login.example', 'invoice-portal-pay.example', 'maplecrest-benefits.example']),
      );
      const posted = random.chance(0.35);
      return {
        message: `${workstation.owner.name} opened the phishing page ${to.domain}${posted ? ' and sent a form' : ''}`,
        outline: {
          threat: to.domain,
          target: mailAddress(workstation.owner),
          indicators: [to.domain, to.ip],
          summary: posted ? 'Credentials probably entered' : 'Page opened, nothing sent',
        },
        score: posted ? random.decimal(70, 88) : random.decimal(30, 52),
        severity: posted ? 7 : 4,
        action: posted ? 'POST' : 'GET',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          source: { ip: workstation.ip },
          destination: externalFields(to, 443),
          url: {
            full: `https://${to.domain}/signin?id=${random.hex(8)}`,
            domain: to.domain,
            path: '/signin',
            scheme: 'https',
          },
          http: {
            request: { method: posted ? 'POST' : 'GET', bytes: posted ? random.integer(380, 900) : 0 },
            response: { status_code: posted ? 302 : 200 },
          },
          related: {
            hosts: [to.domain, workstation.name],
            ip: [to.ip, workstation.ip],
            user: [workstation.owner.username],
          },
        },
        raw: {
          user: mailAddress(workstation.owner),
          url: `${to.domain}/signin`,
          method: posted ? 'POST' : 'GET',
          category: 'Phishing',
        },
      };
    },
  },
  {
    analytic: 'Data Loss Watch',
    detection: 'Large Upload',
    weight: 5,
    technique: technique('T1567.002', 'Exfiltration Over Web Service: Exfiltration to Cloud Storage', 'exfiltration'),
    category: ['network', 'file'],
    type: ['connection'],
    sensor: SENSORS.proxy,
    build: ({ random, workstation }) => {
      const to = attacker('fileparcel-upload.example');
      const bytes = random.integer(1_200, 48_000) * 1_000_000;
      return {
        message: `${workstation.owner.name} uploaded ${(bytes / 1e9).toFixed(1)} GB to ${to.domain}`,
        outline: {
          threat: to.domain,
          target: workstation.name,
          indicators: [to.domain, to.ip, workstation.owner.username],
          summary: `${(bytes / 1e9).toFixed(1)} GB to a file sharing site that we do not use`,
        },
        score: random.decimal(40, 77),
        severity: 6,
        action: 'upload',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          source: { ip: workstation.ip, bytes },
          destination: externalFields(to, 443),
          url: { full: `https://${to.domain}/u/${random.hex(10)}`, domain: to.domain, scheme: 'https' },
          http: { request: { method: 'PUT' } },
          network: { direction: 'outbound', protocol: 'http', transport: 'tcp' },
          related: {
            hosts: [workstation.name, to.domain],
            ip: [workstation.ip, to.ip],
            user: [workstation.owner.username],
          },
        },
        raw: {
          user: mailAddress(workstation.owner),
          url: to.domain,
          requestsize: bytes,
          action: 'Allowed',
          urlcategory: 'File Share',
        },
      };
    },
  },
  {
    analytic: 'Data Loss Watch',
    detection: 'Archive Staging',
    weight: 3,
    technique: technique('T1560.001', 'Archive Collected Data: Archive via Utility', 'collection'),
    category: ['file', 'process'],
    type: ['creation'],
    sensor: SENSORS.endpoint,
    build: ({ random, workstation }) => {
      const share = random.pick(['claims\\2026', 'finance\\close', 'hr\\personnel']);
      const path = `C:\\Users\\Public\\${random.hex(6)}.7z`;
      const commandLine = `7z.exe a -p${random.hex(10)} -mhe ${path} \\\\MCM-FS02\\${share}`;
      return {
        message: `Encrypted archive of \\\\MCM-FS02\\${share} made on ${workstation.name}`,
        outline: {
          threat: workstation.owner.username,
          target: `\\\\MCM-FS02\\${share}`,
          indicators: [path, '7z.exe'],
          summary: 'Share packed with a password',
        },
        score: random.decimal(54, 81),
        severity: 7,
        action: 'file-created',
        outcome: 'success',
        fields: {
          ...onWorkstation(workstation),
          file: fileFields(path, random.integer(80, 3_900) * 1_000_000),
          process: {
            name: '7z.exe',
            executable: 'C:\\Program Files\\7-Zip\\7z.exe',
            command_line: commandLine,
            pid: random.integer(3000, 19000),
          },
          related: { hosts: [workstation.name, 'MCM-FS02'], user: [workstation.owner.username] },
        },
        raw: { EventID: 11, Image: 'C:\\Program Files\\7-Zip\\7z.exe', TargetFilename: path, CommandLine: commandLine },
      };
    },
  },
];

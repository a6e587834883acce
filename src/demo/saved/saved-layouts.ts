import type { Analyst } from '../triage-courses.ts';

export interface SavedTemplate {
  readonly analytic: string;
  readonly detection?: string;
  /** Absent: global. */
  readonly owner?: Analyst;
  readonly keys: readonly string[];
}

const process = [
  'host.name',
  'user.name',
  'process.name',
  'process.command_line',
  'process.parent.name',
  'process.parent.command_line',
];
const signIn = [
  'user.name',
  'user.full_name',
  'source.ip',
  'source.geo.country_name',
  'source.autonomous_systems.organization_name',
  'event.outcome',
];
const traffic = [
  'host.name',
  'user.name',
  'source.ip',
  'destination.ip',
  'destination.domain',
  'destination.port',
  'network.protocol',
];
const mail = ['email.subject', 'email.from.address', 'email.to.address', 'source.ip', 'url.full', 'file.name'];

export const SAVED_TEMPLATES: readonly SavedTemplate[] = [
  { analytic: 'Password Checker', keys: signIn },
  {
    analytic: 'Password Checker',
    detection: 'Password Spray',
    keys: ['source.ip', 'source.geo.country_name', 'related.user', 'event.start', 'user_agent.original'],
  },
  { analytic: 'Bad Guy Finder', keys: traffic },
  {
    analytic: 'Bad Guy Finder',
    detection: 'Known Malicious File',
    keys: ['host.name', 'user.name', 'file.path', 'file.hash.sha256', 'threat.software.name'],
  },
  {
    analytic: 'Exploit Patcher',
    keys: ['source.ip', 'source.geo.country_name', 'host.name', 'vulnerability.id', 'http.response.status_code'],
  },
  { analytic: 'Suspicious PowerShell', keys: process },
  { analytic: 'Macro Watch', keys: [...process, 'file.path'] },
  { analytic: 'Credential Dumping', keys: [...process, 'file.path'] },
  {
    analytic: 'Lateral Movement Watch',
    keys: ['source.ip', 'host.name', 'user.name', 'destination.port', 'network.protocol'],
  },
  {
    analytic: 'Persistence Monitor',
    detection: 'Run Key',
    keys: ['host.name', 'user.name', 'registry.path', 'registry.data.strings', 'file.hash.sha256'],
  },
  { analytic: 'Beacon Hunter', keys: [...traffic, 'source.bytes', 'tls.client.ja3'] },
  { analytic: 'Phish Lens', keys: mail },
  { analytic: 'Data Loss Watch', keys: ['user.name', 'host.name', 'destination.domain', 'source.bytes', 'file.path'] },
  {
    analytic: 'Cloud Guard',
    keys: [
      'user.name',
      'source.ip',
      'source.geo.country_name',
      'aws.account.name',
      'cloud.service.name',
      'event.action',
    ],
  },
  { analytic: 'Suspicious PowerShell', owner: 'user', keys: ['host.name', 'process.command_line', 'howler.score'] },
  { analytic: 'Phish Lens', owner: 'shawn-h', keys: ['email.subject', 'email.from.address', 'howler.labels.campaign'] },
];

export interface SavedOverview {
  readonly analytic: string;
  readonly detection?: string;
  readonly owner: Analyst;
  /** Markdown with Handlebars expressions. */
  readonly content: string;
}

export const SAVED_OVERVIEWS: readonly SavedOverview[] = [
  {
    analytic: 'Password Checker',
    owner: 'admin',
    content:
      '# {{howler.detection}}\n\n{{message}}\n\n| | |\n|---|---|\n| Source | `{{source.ip}}` {{source.geo.country_name}} |\n| Network | {{source.autonomous_systems.organization_name}} |\n| Account | {{howler.outline.target}} |\n',
  },
  {
    analytic: 'Suspicious PowerShell',
    owner: 'user',
    content:
      '# PowerShell on {{host.name}}\n\nStarted by **{{user.full_name}}** from `{{process.parent.name}}`:\n\n```powershell\n{{process.command_line}}\n```\n',
  },
  {
    analytic: 'Beacon Hunter',
    detection: 'Periodic Callout',
    owner: 'user',
    content:
      '# {{host.name}} → {{destination.domain}}\n\n{{message}}\n\nJA3 `{{tls.client.ja3}}`, {{source.bytes}} bytes sent so far.\n',
  },
  {
    analytic: 'Phish Lens',
    owner: 'shawn-h',
    content:
      '# {{email.subject}}\n\nFrom **{{email.from.address}}** to {{email.to.address}}\n\n{{#if url.full}}Link: `{{url.full}}`{{/if}}\n{{#if file.name}}Attachment: `{{file.name}}`{{/if}}\n',
  },
];

import type { Hit } from '../documents/kinds/hit.ts';
import type { Analyst } from './triage-courses.ts';

/** A matter that several alerts belong to. */
export interface CaseStory {
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly overview: string;
  readonly escalation: 'normal' | 'focus' | 'crisis';
  readonly status: 'open' | 'in-progress' | 'on-hold' | 'resolved';
  readonly owner: Analyst;
  readonly participants: readonly Analyst[];
  /** Alerts that belong to it. */
  readonly includes: (hit: Hit) => boolean;
  readonly reference: { readonly name: string; readonly address: string };
  /**
   * The web interface has pages named observables, timeline, rules and search; an item of that name
   * cannot be opened.
   */
  readonly note: { readonly name: string; readonly markdown: string };
  readonly tasks: readonly { readonly summary: string; readonly assignment: Analyst; readonly complete: boolean }[];
  /** Takes in what comes later. */
  readonly rule?: { readonly query: string; readonly destination: string; readonly timeframe?: number };
}

const detection =
  (...names: readonly string[]) =>
  (hit: Hit): boolean =>
    names.includes(hit.howler.detection ?? '');

export const CASE_STORIES: readonly CaseStory[] = [
  {
    title: 'Benefits enrolment lure',
    summary: 'Mail from maplecrest-benefits.example asks staff to enrol; some entered their password.',
    overview:
      '## So far\n\nFirst mail three weeks ago, still active. The page copies our portal down to the footer.\n\n## Open\n\n* Who entered a password?\n* Registrar has not answered.',
    escalation: 'focus',
    status: 'in-progress',
    owner: 'shawn-h',
    participants: ['shawn-h', 'user', 'huey'],
    includes: (hit) =>
      detection('Lookalike Sender', 'Known Phishing Site')(hit) &&
      JSON.stringify(hit.related ?? {}).includes('maplecrest-benefits'),
    reference: { name: 'Takedown request', address: 'https://abuse.tools.example/cases/48117' },
    note: {
      name: 'Text of the lure',
      markdown:
        '> Action required: benefits enrolment closes today.\n\nSent in waves of 40, always between 8 and 9 in the morning.',
    },
    tasks: [
      { summary: 'Reset all users who sent the form', assignment: 'huey', complete: true },
      { summary: 'Purge the mail from all mailboxes', assignment: 'shawn-h', complete: true },
      { summary: 'Ask the registrar again', assignment: 'user', complete: false },
    ],
    rule: {
      query: 'related.hosts:"maplecrest-benefits.example"',
      destination: 'incoming/{{howler.analytic}} ({{howler.id}})',
      timeframe: 60,
    },
  },
  {
    title: 'Guessed VPN passwords',
    summary: 'Several accounts were entered by VPN after hundreds of failures.',
    overview:
      '## Assumption\n\nPasswords from an older leak of another company, tried with small changes.\n\n## Done\n\nAccounts reset, MFA for VPN brought forward.',
    escalation: 'crisis',
    status: 'in-progress',
    owner: 'admin',
    participants: ['admin', 'goose'],
    includes: detection('Brute Force Success', 'MFA Fatigue'),
    reference: { name: 'Change: MFA for VPN', address: 'https://desk.maplecrest.example/CHG-20455' },
    note: {
      name: 'Sequence of events',
      markdown: '* 02:10 first success\n* 02:31 directory listing\n* 07:55 noticed by us',
    },
    tasks: [
      { summary: 'Sessions of the accounts revoked?', assignment: 'admin', complete: true },
      { summary: 'Search the jump host for new tools', assignment: 'goose', complete: false },
      { summary: 'Report to management', assignment: 'admin', complete: false },
    ],
    rule: {
      query: 'howler.detection:"Brute Force Success"',
      destination: 'related/{{howler.analytic}} ({{howler.id}})',
    },
  },
  {
    title: 'Tunnel by domain names',
    summary: 'Laptops send data in queries below dnsrelay-node.example.',
    overview: 'All have a "free VPN" from the same download page. No sign of a person behind it, yet.',
    escalation: 'normal',
    status: 'on-hold',
    owner: 'user',
    participants: ['user'],
    includes: detection('Domain Name Tunnel'),
    reference: { name: 'Report on the tool', address: 'https://research.tools.example/free-vpn-dns' },
    note: { name: 'Query names', markdown: '48 hex digits, then `.t.dnsrelay-node.example`. Type TXT only.' },
    tasks: [{ summary: 'Laptops back from the users?', assignment: 'user', complete: false }],
  },
  {
    title: 'Office documents that start shells',
    summary: 'Macro documents to finance and claims, one second stage.',
    overview: 'All documents come from one template. The second stage talks to the same place as the beacons.',
    escalation: 'focus',
    status: 'open',
    owner: 'huey',
    participants: ['huey', 'shawn-h'],
    includes: detection('Office Spawned Shell', 'Antimalware Bypass'),
    reference: { name: 'Sandbox result', address: 'https://sandbox.maplecrest.example/r/7f3a' },
    note: { name: 'Common points', markdown: 'Author field `Admin-PC`, macro module `NewMacros`, function `Start`.' },
    tasks: [
      { summary: 'Block macros from the internet by policy', assignment: 'goose', complete: false },
      { summary: 'Compare the second stage with the beacons', assignment: 'huey', complete: false },
    ],
  },
  {
    title: 'Uploads before leaving',
    summary: 'Large uploads of one department to a file sharing site.',
    overview:
      'Agreed transfer to the auditor, through a site that was not approved. The site is blocked now, the auditor has a drop box.',
    escalation: 'normal',
    status: 'resolved',
    owner: 'goose',
    participants: ['goose', 'admin'],
    includes: detection('Large Upload', 'Archive Staging'),
    reference: { name: 'Answer of the controller', address: 'https://desk.maplecrest.example/SD-47702' },
    note: { name: 'What was sent', markdown: 'Closing statements of the third quarter, no personal data.' },
    tasks: [{ summary: 'Tell the auditor about the drop box', assignment: 'goose', complete: true }],
  },
];
